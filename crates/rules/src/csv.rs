//! Reads the comma-separated tables of `rulebook/`.

/// The rows of a table without its heading; fields may be quoted, quotes doubled inside.
pub(crate) fn rows<const N: usize>(text: &'static str) -> impl Iterator<Item = [String; N]> {
    text.lines().skip(1).filter(|line| !line.is_empty()).map(|line| {
        let fields = fields(line);
        assert_eq!(fields.len(), N, "a row of {N} fields: {line}");
        fields.try_into().unwrap()
    })
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                field.push('"');
                letters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_keep_their_commas() {
        assert_eq!(fields(r#"a,"b, ""c""",,d"#), ["a", "b, \"c\"", "", "d"]);
    }
}
