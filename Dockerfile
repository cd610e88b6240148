# The program in an image: docker build -t sfumato . && docker run --rm -v "$PWD:/data" sfumato demo
FROM rust:1.90-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY crates crates
COPY studies studies
COPY fuzz fuzz
COPY xtask xtask
COPY .cargo .cargo
RUN cargo build --release --locked --package sfumato-cli --bin sfumato

FROM debian:bookworm-slim
COPY --from=build /src/target/release/sfumato /usr/local/bin/sfumato
# Files that it writes belong to whoever starts it: docker run --user "$(id -u):$(id -g)"
RUN useradd --create-home sfumato
USER sfumato
WORKDIR /data
ENTRYPOINT ["sfumato"]
