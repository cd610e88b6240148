//! Files of other formats than tables, zones, cells and hierarchies of places: whole runs.

use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_paths::RELEASES;

fn job(folder: &Path, file: &str, layout: &str, model: &str) -> Job {
    let text = format!(
        "[input]\npath = \"{file}\"\n[paths]\nlayout = \"{layout}\"\n[privacy]\n\
         models = [\"{model}\"]\n[output]\npath = \"out.csv\"\n[run]\nseed = 1\n"
    );
    Job::parse(&text, "release.toml", folder).unwrap()
}

/// Six people who walk beside each other for five minutes.
fn positions() -> Vec<(String, f64, f64, String)> {
    let mut all = Vec::new();
    for who in 0..6 {
        for minute in 0..5 {
            let (lon, lat) = (16.3 + f64::from(who) * 1e-4, 48.2 + f64::from(minute) * 5e-4);
            all.push((format!("p{who}"), lon, lat, format!("2020-07-01T22:{minute:02}:00Z")));
        }
    }
    all
}

fn write_gpx(folder: &Path) {
    let mut gpx = String::from("<?xml version=\"1.0\"?>\n<gpx>\n");
    for person in positions().chunk_by(|a, b| a.0 == b.0) {
        gpx += &format!("<trk><name>{}</name><trkseg>\n", person[0].0);
        for (_, lon, lat, time) in person {
            gpx +=
                &format!("<trkpt lat=\"{lat:.6}\" lon=\"{lon:.6}\"><time>{time}</time></trkpt>\n");
        }
        gpx += "</trkseg></trk>\n";
    }
    std::fs::write(folder.join("in.gpx"), gpx + "</gpx>\n").unwrap();
}

fn write_geojson(folder: &Path) {
    let feature = |person: &[(String, f64, f64, String)]| {
        let places: Vec<String> =
            person.iter().map(|(_, lon, lat, _)| format!("[{lon:.6}, {lat:.6}]")).collect();
        let times: Vec<String> = person.iter().map(|(.., time)| format!("\"{time}\"")).collect();
        format!(
            "{{\"type\": \"Feature\", \"properties\": {{\"who\": \"{}\", \"at\": \
             [{}]}},\n\"geometry\": \
             {{\"type\": \"LineString\", \"coordinates\": [{}]}}}}",
            person[0].0,
            times.join(", "),
            places.join(", ")
        )
    };
    let all: Vec<String> = positions().chunk_by(|a, b| a.0 == b.0).map(feature).collect();
    let text = format!("{{\"type\": \"FeatureCollection\", \"features\": [{}]}}", all.join(",\n"));
    std::fs::write(folder.join("in.geojson"), text).unwrap();
}

fn write_polylines(folder: &Path) {
    let mut csv = String::from("TRIP,START,LINE,kind\n");
    for person in positions().chunk_by(|a, b| a.0 == b.0) {
        let places: Vec<String> =
            person.iter().map(|(_, lon, lat, _)| format!("[{lon:.6}, {lat:.6}]")).collect();
        csv += &format!("{},{},\"[{}]\",x\n", person[0].0, person[0].3, places.join(", "));
    }
    std::fs::write(folder.join("lines.csv"), csv).unwrap();
}

#[test]
fn the_same_tracks_in_every_format_give_the_same_release() {
    let folder = tempfile::tempdir().unwrap();
    let mut csv = String::from("id,lon,lat,time\n");
    for (who, lon, lat, time) in positions() {
        csv += &format!("{who},{lon:.6},{lat:.6},{time}\n");
    }
    std::fs::write(folder.path().join("in.csv"), csv).unwrap();
    write_gpx(folder.path());
    write_geojson(folder.path());
    write_polylines(folder.path());
    let mut releases = Vec::new();
    for (file, layout) in [
        ("in.csv", "track(id=id, lat=lat, lon=lon, time=time)"),
        ("in.gpx", "gpx"),
        ("in.geojson", "geojson(id=who, time=at)"),
        ("lines.csv", "polyline(id=TRIP, line=LINE, start=START, step=60, drop=[kind])"),
    ] {
        let run = job(folder.path(), file, layout, "k-delta-anonymity(k=3, delta=50)");
        let report = RELEASES[1].run(&run, &Unobserved).unwrap();
        assert!(report.guarantees[0].holds, "{file}");
        releases.push(std::fs::read_to_string(folder.path().join("out.csv")).unwrap());
    }
    assert_eq!(releases[0].lines().count(), 31);
    assert!(releases.iter().all(|release| *release == releases[0]), "{releases:?}");
}

#[test]
fn cells_are_geohashes_and_times_are_local() {
    let folder = tempfile::tempdir().unwrap();
    write_gpx(folder.path());
    let layout = "gpx(geohash=6, every=1h, zone=+02:00)";
    let run = job(folder.path(), "in.gpx", layout, "lkc-privacy(l=2, k=3)");
    let report = RELEASES[0].run(&run, &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    // Ten in the evening of UTC is midnight there.
    assert!(text.starts_with("id,cell,time\n") && text.contains(",2020-07-02 00:00:00"), "{text}");
    assert!(text.lines().skip(1).all(|line| line.split(',').nth(1).unwrap().len() == 6), "{text}");
    let run = job(folder.path(), "in.gpx", "gpx(h3=7, every=1h)", "lkc-privacy(l=2, k=3)");
    assert!(RELEASES[0].run(&run, &Unobserved).unwrap().guarantees[0].holds);
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let is_hexagon = |cell: &str| cell.len() == 15 && cell.starts_with("87");
    assert!(text.lines().skip(1).all(|row| is_hexagon(row.split(',').nth(1).unwrap())), "{text}");
}

#[test]
fn places_are_published_as_what_they_are_parts_of() {
    let folder = tempfile::tempdir().unwrap();
    let mut csv = String::from("ID,LOC,T\n");
    for who in 0..6 {
        csv += &format!("p{who},room {},1\np{who},room {},2\n", who % 3, (who + 1) % 3);
    }
    std::fs::write(folder.path().join("in.csv"), csv).unwrap();
    let tree = "room 0;first floor;house\nroom 1;first floor;house\nroom 2;attic;house\n";
    std::fs::write(folder.path().join("places.csv"), tree).unwrap();
    let run = |level: &str| {
        let layout = format!("points(id=ID, place=LOC, time=T, hierarchy=places.csv{level})");
        RELEASES[0]
            .run(&job(folder.path(), "in.csv", &layout, "lkc-privacy(l=2, k=2)"), &Unobserved)
    };
    assert!(run("").unwrap().guarantees[0].holds);
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(text.contains(",attic,") && !text.contains("room"), "{text}");
    run(", level=2").unwrap();
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert_eq!(text.matches(",house,").count(), 12);
    assert_eq!(run(", level=3").unwrap_err().kind, ErrorKind::Params);
    std::fs::write(folder.path().join("places.csv"), "room 0;a\nroom 1;a\n").unwrap();
    let error = run("").unwrap_err();
    assert!(error.message.contains("a place that the hierarchy hasn't"), "{error}");
}
