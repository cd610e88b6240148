//! The builder `mask`: each level masks one more character.

use sfumato_core::column::Dictionary;
use sfumato_core::dataset::LevelTable;
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

/// The builder `mask`, an entry of the registry.
pub struct Mask;

/// The largest number of levels. More help nobody and fill memory with masked copies.
const MOST_LEVELS: usize = 100;

static INFO: Info = Info {
    name: "mask",
    summary: "codes lose one character more at each level: 12345, 1234*, 123**",
    papers: &[],
    params: &[
        ParamSpec::with_default(
            "from",
            ParamKind::Choice(&["right", "left"]),
            "right",
            "the end at which masking starts",
        ),
        ParamSpec::with_default("char", ParamKind::Text, "*", "the character that masks"),
        ParamSpec::with_default(
            "pad",
            ParamKind::Choice(&["masked", "leading", "none"]),
            "masked",
            "the end at which shorter values are filled up: the masked one, the other, or neither",
        ),
        ParamSpec::optional(
            "levels",
            ParamKind::Integer { min: 1, max: MOST_LEVELS as i64 },
            "how many levels of masking below the root; as many as there are characters if left \
                out",
        ),
    ],
    doc: "\
Level 1 masks one character, level 2 two, and so on: `12345`, `1234*`, `123**`, `12***`, `1****`, \
and then the root.
For codes whose first characters say the most: postal codes, telephone prefixes, classifications. \
`from=left` masks from
the left instead. The value with every character masked isn't a level of its own: it would be the \
root again.

Values of unequal length are filled up with the masking character to the length of the longest:

| `pad` | `from=right`, values `12345` and `123` |
|---|---|
| `masked` | at the masked end: `1234*` and `123**`; level by level equally many leading \
characters stay |
| `leading` | at the other end: `1234*` and `**12*`; for numbers aligned at their last digit |
| `none` | not at all: `1234*` and `12*`; the label then tells the length |

Only the levels are filled up; the values themselves stay as they are. With `levels` fewer \
characters are masked before
the root. Masked labels are shortened values and tell no more than their own record; but where a \
prefix occurs only
once, it is as rare as the value. Works on the text of any kind of values; masked numbers don't \
keep their order.",
    ..Info::DEFAULT
};

impl Builder for Mask {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        let word = |name| params.text(name).expect("the specification has a default");
        let mut chars = word("char").chars();
        let (Some(mask), None) = (chars.next(), chars.next()) else {
            return Err(Error::params(format!(
                "mask: char must be one character, not '{}'",
                word("char")
            )));
        };
        let labels = input.domain.texts();
        let longest = labels.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let levels = match params.optional_integer("levels") {
            Some(asked) => (asked as usize).min(longest.saturating_sub(1)),
            None if longest > MOST_LEVELS + 1 => {
                let message = format!(
                    "mask: the longest value has {longest} characters, too many for a level each"
                );
                return Err(
                    Error::params(message).hint(format!("give levels, at most {MOST_LEVELS}"))
                );
            }
            None => longest.saturating_sub(1),
        };
        let from_right = word("from") == "right";
        // Shorter values are filled up on the right if that's where the chosen end is.
        let fill_right = match word("pad") {
            "masked" => Some(from_right),
            "leading" => Some(!from_right),
            _ => None,
        };
        let mut table = LevelTable { levels: vec![Dictionary::new(); levels + 1] };
        table.levels[0] = labels.as_ref().clone();
        let mut filled: Vec<char> = Vec::new();
        let mut label = String::new();
        for text in labels.iter() {
            filled.clear();
            let missing = longest - text.chars().count();
            let filling = |here: bool| std::iter::repeat_n(mask, if here { missing } else { 0 });
            filled.extend(filling(fill_right == Some(false)));
            filled.extend(text.chars());
            filled.extend(filling(fill_right == Some(true)));
            for level in 1..=levels {
                let hidden = level.min(filled.len());
                if let Some(next) = hidden.checked_sub(1) {
                    let at = if from_right { filled.len() - 1 - next } else { next };
                    filled[at] = mask;
                }
                label.clear();
                label.extend(&filled);
                table.levels[level].push(&label);
            }
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::dataset::Domain;

    fn build(call: &str, texts: &[&str]) -> Result<Vec<String>> {
        let call: sfumato_core::registry::Call = call.parse()?;
        let domain = Domain::of_texts(texts);
        let counts = vec![1; texts.len()];
        let input =
            BuildInput { domain: &domain, counts: &counts, read_text: &|_| Ok(String::new()) };
        let table = Mask.build(&Params::check(&INFO, &call.args)?, &input)?;
        Ok((0..table.n_leaves())
            .map(|leaf| table.row(leaf).collect::<Vec<_>>().join(" "))
            .collect())
    }

    #[test]
    fn one_more_character_at_each_level() {
        assert_eq!(build("mask", &["12345"]).unwrap(), ["12345 1234* 123** 12*** 1****"]);
        assert_eq!(build("mask(from=left, char=x)", &["123"]).unwrap(), ["123 x23 xx3"]);
        assert_eq!(build("mask(levels=2)", &["12345"]).unwrap(), ["12345 1234* 123**"]);
        assert_eq!(build("mask", &["a", "b"]).unwrap(), ["a", "b"]);
    }

    #[test]
    fn unequal_lengths_are_filled_up() {
        let values = ["12345", "123"];
        let rows = |call| build(call, &values).unwrap();
        assert_eq!(rows("mask(levels=3)"), ["12345 1234* 123** 12***", "123 123** 123** 12***"]);
        assert_eq!(rows("mask(levels=2, pad=leading)"), ["12345 1234* 123**", "123 **12* **1**"]);
        assert_eq!(
            rows("mask(pad=none)"),
            ["12345 1234* 123** 12*** 1****", "123 12* 1** *** ***"]
        );
        assert_eq!(rows("mask(from=left, levels=1)"), ["12345 *2345", "123 **123"]);
        assert_eq!(rows("mask(from=left, levels=1, pad=leading)"), ["12345 *2345", "123 *23**"]);
        assert_eq!(build("mask(pad=none)", &["", "äö"]).unwrap(), [" ", "äö ä*"]);
    }

    #[test]
    fn bad_characters_and_long_texts_are_refused() {
        assert_eq!(
            build("mask(char=xx)", &["a"]).unwrap_err().message,
            "mask: char must be one character, not 'xx'"
        );
        let long = "x".repeat(300);
        let error = build("mask", &[&long]).unwrap_err();
        assert_eq!(
            error.message,
            "mask: the longest value has 300 characters, too many for a level each"
        );
        assert_eq!(build("mask(levels=1)", &[&long]).unwrap().len(), 1);
    }
}
