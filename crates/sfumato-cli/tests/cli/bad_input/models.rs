//! Models and algorithms: unknown, badly parametrized, not fitting the data, or asking for more
//! than it has.

use super::{case, check};

macro_rules! asked {
    ($name:literal, $asked:literal) => {
        case($name).run(concat!("anonymize people.csv -o out.csv $ROLES ", $asked))
    };
}

#[test]
fn bad_models() {
    check(vec![
        asked!("no model", "").error("no privacy model was asked for").hint(
            "say -k 10, or --model 'l-diversity-entropy(l=3, on=disease)'; 'sfumato list models' \
                 shows all",
        ),
        asked!("an unknown model, nearly right", "--model k-anonimity(k=2)")
            .error("there is no model 'k-anonimity'")
            .hint("did you mean k-anonymity? 'sfumato list models' shows all"),
        asked!("an unknown model, far from all", "--model differential-privacy(epsilon=1)")
            .error("there is no model 'differential-privacy'")
            .hint("'sfumato list models' shows all"),
        asked!("a model without its parameter", "-k 2 --model l-diversity-distinct(on=disease)")
            .error("l-diversity-distinct needs the parameter 'l'")
            .hint("l: the least number of different values"),
        asked!("a model with an unknown parameter", "--model k-anonymity(k=2,on=disease)")
            .error("k-anonymity has no parameter 'on'")
            .hint("it takes k"),
        asked!("k = 0", "-k 0")
            .error("k-anonymity: k must be a whole number of at least 1, not '0'"),
        asked!("k = 0 in a model", "--model k-anonymity(k=0)")
            .error("k-anonymity: k must be a whole number of at least 1, not '0'"),
        asked!("k in words", "--model k-anonymity(k=two)")
            .error("k-anonymity: k must be a whole number of at least 1, not 'two'"),
        asked!("k with a fraction", "--model k-anonymity(k=2.5)")
            .error("k-anonymity: k must be a whole number of at least 1, not '2.5'"),
        asked!("an unclosed bracket", "--model k-anonymity(k=2")
            .error("can't read 'k-anonymity(k=2': ',' or ')' is missing at character 16")
            .hint(
                "write it as name(param=value, list=[a, b]), for example l-diversity-entropy(l=3, \
                 on=disease)",
            ),
        asked!("t above 1", "--model t-closeness(t=1.5,on=disease)")
            .error("t-closeness: t must be a number of at least 0 and at most 1, not '1.5'"),
        asked!(
            "a model about a column that isn't sensitive",
            "-k 2 --model \
             l-diversity-distinct(l=2,on=pay)"
        )
        .error("l-diversity-distinct: 'pay' is not a sensitive column")
        .hint("sensitive columns are disease"),
        asked!(
            "a model about a column that isn't there",
            "-k 2 --model \
             l-diversity-distinct(l=2,on=diseases)"
        )
        .error("l-diversity-distinct: 'diseases' is not a sensitive column")
        .hint("sensitive columns are disease"),
        asked!("a variance of texts", "-k 2 --model variance-diversity(v=1,on=disease)")
            .error("variance-diversity needs numbers; column 'disease' holds text")
            .hint("name a column of numbers or dates with on=COLUMN"),
        asked!(
            "a tree distance without a tree",
            "-k 2 --model \
             t-closeness(t=0.5,distance=hierarchical,on=disease)"
        )
        .error("t-closeness: distance=hierarchical needs a hierarchy for column 'disease'")
        .hint("give one with --hierarchy disease=FILE, or take distance=equal"),
        case("diversity without a sensitive column")
            .run(
                "anonymize people.csv -o out.csv --identifier name,person,disease,pay --qi \
                    age,sex,zip \
                 --model l-diversity-distinct(l=2)",
            )
            .error("l-diversity-distinct needs a sensitive column")
            .hint("name one with --sensitive COLUMN or role = \"sensitive\""),
        asked!(
            "a model that the algorithm can't serve",
            "--algorithm mondrian --model \
             lkc-privacy(l=2,k=2,c=0.5,on=disease)"
        )
        .error(
            "mondrian can't serve lkc-privacy: that model is about every projection of the \
                 release, and mondrian looks at one class at a time",
        )
        .hint(
            "take a global recoding, such as full-domain or top-down-specialization, or ask for a \
                model \
                 about classes, such as alpha-k-anonymity over all quasi columns",
        ),
        asked!("an unknown algorithm", "-k 2 --algorithm mondrain")
            .error("there is no algorithm 'mondrain'")
            .hint("did you mean mondrian? 'sfumato list algorithms' shows all"),
        asked!("an unknown parameter of the algorithm", "-k 2 --algorithm mondrian(strict=true)")
            .error("mondrian has no parameter 'strict'")
            .hint(
                "it takes split, leftovers, cuts, relaxed, tighten, workload, significant, \
                min_gain",
            ),
        asked!("an unknown metric", "-k 2 --metric npc")
            .error("there is no metric 'npc'")
            .hint("did you mean ncp? 'sfumato list metrics' shows all"),
    ]);
}

#[test]
fn requirements_that_cannot_be_met() {
    check(vec![
        asked!("more people than there are", "-k 81")
            .code(3)
            .error(
                "k-anonymity(k=81) can't be met: over the whole table k is 80 and must be at \
                least 81",
            )
            .hint("ask for less: there are not enough people in the data"),
        asked!("more people than there are, some suppressed", "-k 81 --max-suppression 50%")
            .code(3)
            .error(
                "k-anonymity(k=81) can't be met: over the whole table k is 80 and must be at least \
                    81, \
                 and leaving out up to 40 didn't help",
            )
            .hint("ask for less: there are not enough people in the data"),
        asked!("more values than there are", "-k 2 --model l-diversity-distinct(l=5,on=disease)")
            .code(3)
            .error(
                "l-diversity-distinct(l=5, on=disease) can't be met: over the whole table l is 4 \
                    and \
                 must be at least 5",
            )
            .hint("ask for less, or allow more records to be suppressed"),
        asked!("more entropy than there is", "-k 2 --model l-diversity-entropy(l=4.5,on=disease)")
            .code(3)
            .error(
                "l-diversity-entropy(l=4.5, on=disease) can't be met: over the whole table l is \
                    4.0000 \
                 and must be at least 4.5000",
            )
            .hint("ask for less, or allow more records to be suppressed"),
        case("k people, not rows")
            .run(
                "anonymize people.csv -o out.csv --identifier name --subject person --qi \
                    age,sex,zip \
                 --sensitive disease --keep pay -k 41",
            )
            .code(3)
            .error(
                "k-anonymity(k=41) can't be met: over the whole table k is 40 and must be at \
                least 41",
            )
            .hint("ask for less: there are not enough people in the data"),
    ]);
}
