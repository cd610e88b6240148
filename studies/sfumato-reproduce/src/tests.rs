//! Runs every figure at its smallest size: it has the promised shape, and is the same for the same
//! seed.

use sfumato_core::observer::Unobserved;

use super::*;

fn settings(seed: u64) -> Settings<'static> {
    let data = std::env::var_os("SFUMATO_DATA").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        std::path::PathBuf::from,
    );
    Settings { size: Size::Tiny, seed, rows: None, data, observer: &Unobserved }
}

#[test]
fn every_figure_runs_and_renders() {
    for paper in ALL {
        for figure in paper.figures() {
            let result = run(*figure, &settings(1)).unwrap();
            let name = figure.info().name;
            assert_eq!(result.name, name);
            if let Some(why) = &result.skipped {
                println!("skipped: {name}: {why}");
                continue;
            }
            assert!(
                !result.tables.is_empty() && !result.claims.is_empty() && !result.scale.is_empty(),
                "{name}"
            );
            // One seed tells nothing, and every claim has a control.
            for claim in &result.claims {
                assert_eq!(claim.verdict().word(), "can't be told", "{name}: {}", claim.text());
                assert_eq!((claim.values().len(), claim.control_values().len()), (1, 1));
                assert!(!claim.control_is().is_empty() && !claim.rule().is_empty());
            }
            for table in &result.tables {
                assert!(!table.rows.is_empty(), "{name}: {}", table.title);
                for row in &table.rows {
                    assert_eq!(row.cells.len(), table.columns.len(), "{name}: {}", table.title);
                    assert!(
                        row.cells.iter().flatten().all(|n| n.mean.is_finite()),
                        "{name}: {}",
                        table.title
                    );
                }
                assert!(
                    table.rows.iter().any(|row| row.cells.iter().any(Option::is_some)),
                    "{name}"
                );
            }
            let drawn = render::draw(&result);
            assert_eq!(drawn.is_some(), result.is_drawn());
            assert!(drawn.is_none_or(|svg| svg.starts_with("<svg ") && svg.len() < 100_000));
            assert!(render::words(&result).contains(&result.claims[0].text()));
            assert!(render::tables_csv(&result).lines().count() > 1);
        }
    }
}

#[test]
fn a_seed_decides_everything() {
    let figure = find_figures(find_paper("lefevre").unwrap(), &["fig6".into()]).unwrap()[0];
    let first = run(figure, &settings(7)).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(first, pool.install(|| run(figure, &settings(7)).unwrap()));
    assert_ne!(first.tables, run(figure, &settings(8)).unwrap().tables);
}

#[test]
fn names_and_missing_data_are_said() {
    assert!(
        find_paper("lefebvre")
            .is_err_and(|error| error.to_string().contains("no paper 'lefebvre'"))
    );
    let paper = find_paper("lefevre").unwrap();
    assert!(find_figures(paper, &["fig5".into()]).is_err());
    assert_eq!(find_figures(paper, &[]).unwrap().len(), paper.figures().len());
    let nowhere = Settings { data: "no/such/folder".into(), ..settings(1) };
    for figure in paper.figures().iter().filter(|figure| !figure.info().files.is_empty()) {
        let result = run(*figure, &nowhere).unwrap();
        assert!(
            result.skipped.as_ref().is_some_and(|why| why.contains("isn't in the data folder"))
        );
        assert!(render::words(&result).contains("skipped: "));
        assert!(render::page(paper.info(), "made", &[result]).contains("skipped: "));
    }
}

#[test]
fn pages_hold_all_claims_with_rules_controls_and_counts() {
    let paper = find_paper("lefevre").unwrap();
    let figure = find_figures(paper, &["fig6".into()]).unwrap()[0];
    let result = run_seeds(figure, &settings(1), 3).unwrap();
    assert_eq!(result.seeds, [1, 2, 3]);
    assert!(result.claims.iter().all(|claim| claim.values().len() == 3));
    let page = render::page(paper.info(), "sfumato made this", std::slice::from_ref(&result));
    assert!(page.contains("![fig6](lefevre/fig6.svg)") && page.contains("`sfumato made this`"));
    for claim in &result.claims {
        let row = page.lines().find(|line| line.contains(&claim.text())).unwrap();
        for part in [claim.rule(), claim.origin().word(), claim.control_is().to_string()] {
            assert!(row.contains(&part), "{part}: {row}");
        }
        assert!(row.contains(claim.verdict().word()), "{row}");
    }
    let untested = paper.info().untested;
    assert!(!untested.is_empty() && untested.iter().all(|one| page.contains(one.why)));
    assert!(page.contains(&format!("{} sentences can't be tested here", untested.len())));
    assert!(page.contains("| function | original | InfoGain | TDS | Median | ours |"));
    let json: serde_json::Value =
        serde_json::from_str(&render::json("lefevre", 1, &[result])).unwrap();
    assert_eq!(json["figures"][0]["tables"][0]["columns"][1], "InfoGain");
    assert_eq!(json["figures"][0]["claims"][0]["control"].as_array().unwrap().len(), 3);
}

#[test]
fn sentences_that_cannot_be_tested_say_why() {
    for paper in ALL {
        for untested in paper.info().untested {
            assert!(untested.line > 0 && untested.sentence.len() > 10 && untested.why.len() > 10);
        }
    }
}

#[test]
fn frequency_groups_save_reads_and_samples_need_fewer() {
    let figure = find_figures(find_paper("rothko").unwrap(), &["fig18".into()]).unwrap()[0];
    let result = run(figure, &settings(3)).unwrap();
    let [by_groups, by_sample, scale_up] = &result.tables[..] else { panic!("three parts") };
    let (reads, writes) = (by_groups.means(0), by_groups.means(1));
    assert!(reads.is_sorted_by(|a, b| a >= b) && reads[0] > reads[4], "{reads:?}");
    assert!(writes.is_sorted_by(|a, b| a >= b) && writes[0] > writes[4], "{writes:?}");
    // Whatever is drawn: a sample, a division, a load.
    assert!(
        by_sample.means(0).iter().all(|reads| *reads >= 3.0)
            && by_sample.means(1).iter().all(|n| *n >= 1.0)
    );
    let samples = scale_up.means(2);
    assert!(
        scale_up.means(0).iter().zip(&samples).all(|(tree, sample)| tree >= sample),
        "{scale_up:?}"
    );
}

#[test]
fn pruning_stands_beside_the_printed_table() {
    let figure = find_figures(find_paper("rothko").unwrap(), &["fig24".into()]).unwrap()[0];
    let result = run(figure, &settings(1)).unwrap();
    assert_eq!(result.tables.len(), 8);
    let first = &result.tables[0];
    assert_eq!(first.columns[..2], ["k = 10", "paper"]);
    // The first line of the printed table: 68 with tests for k = 10, then x.
    let printed: Vec<_> =
        first.rows[0].cells.iter().skip(1).step_by(2).map(|cell| cell.map(|n| n.mean)).collect();
    assert_eq!(printed, [Some(68.0), None, None, None]);
}

#[test]
fn sizes_of_a_scale_up_can_be_asked_for() {
    let asked = Settings { rows: Some(vec![2400, 1200, 2400]), ..settings(1) };
    assert_eq!(asked.scale_up(&[1], &[2], &[3]), [1200, 2400]);
    assert_eq!(settings(1).scale_up(&[1], &[2], &[3]), [1]);
    let figure = find_figures(find_paper("rothko").unwrap(), &["fig19".into()]).unwrap()[0];
    let result = run(figure, &asked).unwrap();
    let labels: Vec<&str> = result.tables[0].rows.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels, ["1200", "2400"]);
}
