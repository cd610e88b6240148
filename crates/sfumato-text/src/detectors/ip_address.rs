//! Addresses of the internet protocol, version 4 and 6, and of network devices.

use std::net::Ipv6Addr;

use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `ip-address`, an entry of the registry.
pub struct IpAddress;

static INFO: Info = Info {
    name: "ip-address",
    summary: "addresses of the internet protocol and of network devices",
    doc: "Four numbers up to 255 with dots between them; eight groups of hexadecimal digits with \
          colons, or fewer with two colons at one place; and six pairs of hexadecimal digits \
          (class MAC_ADDRESS).",
    ..Info::DEFAULT
};

impl Detector for IpAddress {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["IP_ADDRESS", "MAC_ADDRESS"]
    }
    fn strength(&self) -> Strength {
        Strength::Certain
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let bytes = scan.text.as_bytes();
        let is_part = |b: u8| b.is_ascii_hexdigit() || b == b'.' || b == b':' || b == b'-';
        let mut at = 0;
        while at < bytes.len() {
            let end = at + bytes[at..].iter().take_while(|b| is_part(**b)).count();
            if end == at {
                at += 1;
                continue;
            }
            let part = scan.text[at..end].trim_end_matches(['.', ':', '-']);
            // Two colons may begin an address; a sign at the front of anything else isn't part.
            let begun = match part.starts_with("::") {
                true => part,
                false => part.trim_start_matches(['.', ':', '-']),
            };
            let start = at + (part.len() - begun.len());
            if let Some(class) = class_of(begun)
                && scan.stands_alone(start, start + begun.len())
            {
                found.push(Span::new(start, start + begun.len(), class));
            }
            at = end;
        }
    }
}

fn class_of(text: &str) -> Option<&'static str> {
    let is_octet = |part: &str| part.len() <= 3 && part.parse::<u8>().is_ok();
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() == 4 && parts.iter().all(|part| is_octet(part)) {
        return Some("IP_ADDRESS");
    }
    for separator in [':', '-'] {
        let pairs: Vec<&str> = text.split(separator).collect();
        let is_pair = |pair: &&str| pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_hexdigit());
        if pairs.len() == 6 && pairs.iter().all(is_pair) {
            return Some("MAC_ADDRESS");
        }
    }
    let has_digit = text.bytes().any(|b| b.is_ascii_hexdigit());
    let is_six = text.len() > 4 && has_digit && text.parse::<Ipv6Addr>().is_ok();
    is_six.then_some("IP_ADDRESS")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn addresses_and_what_looks_like_them() {
        check(
            &IpAddress,
            "from [IP_ADDRESS:10.0.0.255]: not 1.2.3, 1.2.3.4.5, 256.1.1.1, 07:04:41",
        );
        check(&IpAddress, "|[IP_ADDRESS:6e40:4041:c617:e898:c11:40d2:c669:2eb4]|");
        check(&IpAddress, "[IP_ADDRESS:fe80::1], [MAC_ADDRESS:00:1B:44:11:3a:b7], a::b");
    }
}
