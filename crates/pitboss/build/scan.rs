//! Reads Rust text as far as it takes to tell where an id stands, and in which item.

/// An id in Rust text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// The line, counted from 1: of the item for an alias, of the id for all else.
    pub(crate) line: usize,
    /// The item around it, such as `Table::cut`; empty outside of all items.
    pub(crate) item: String,
    /// Whether that is compiled for tests alone.
    pub(crate) in_test: bool,
}

/// How an id stands in Rust text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In `#[doc(alias = "…")]` on the item.
    Alias,
    /// In a string that has nothing but ids.
    Citation,
    /// In a comment, or in a sentence.
    Prose,
}

/// The sections of the rule books, of which the first word is what the ids of a book begin with.
const SECTIONS: &str = include_str!("../../rules/rulebook/sections.csv");

/// The ids in a text, each once where it is repeated.
pub(crate) fn ids(text: &str) -> Vec<&str> {
    let mut ids: Vec<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    ids.retain(|word| is_an_id(word));
    ids.dedup();
    ids.into_iter().map(|id| id.trim_end_matches('-')).collect()
}

/// Whether a word looks like an id: a book, or `G` for rulings on all of them, and a number, perhaps
/// after `P` or `R`.
fn is_an_id(word: &str) -> bool {
    let Some((book, rest)) = word.split_once('-') else { return false };
    let number = rest.strip_prefix(['P', 'R']).unwrap_or(rest);
    let mut books = SECTIONS.lines().skip(1).filter_map(|row| row.split(',').next());
    number.starts_with(|c: char| c.is_ascii_digit()) && (book == "G" || books.any(|b| b == book))
}

/// Every id in Rust text, in the order of its lines.
pub(crate) fn scan(text: &str) -> Vec<Occurrence> {
    let mut scan = Scan::default();
    for Token { line, text, is } in tokens(text) {
        match is {
            TokenKind::Comment => scan.prose(line, &text),
            TokenKind::Literal => scan.literal(line, &text),
            TokenKind::Word => scan.word(line, &text),
            TokenKind::Mark => scan.mark(text.chars().next().unwrap_or(' ')),
        }
    }
    // Documentation of an item is placed when its name is known.
    scan.found.sort_by_key(|found| found.line);
    scan.found
}

/// An item that is not over yet.
#[derive(Clone, Debug, Default)]
struct Item {
    keyword: String,
    name: String,
    /// How many brackets were open where it began.
    depth: usize,
    /// Whether its body in braces has begun.
    is_open: bool,
    in_test: bool,
}

#[derive(Default)]
struct Scan {
    found: Vec<Occurrence>,
    items: Vec<Item>,
    depth: usize,
    /// How many `<` are open in the head of an `impl`.
    angles: usize,
    /// The brackets open where an attribute began, and its words so far.
    attribute: Option<(usize, String)>,
    /// The mark before, and whether that is the `#` of an attribute, or its `!`.
    before: char,
    after_hash: bool,
    /// The ids of aliases and documentation that wait for their item, with the line of the latter.
    waiting: Vec<(String, Option<usize>)>,
    /// Whether that item is for tests alone.
    for_tests: bool,
}

impl Scan {
    fn prose(&mut self, line: usize, text: &str) {
        let is_doc = text.starts_with("///");
        for id in ids(text) {
            match is_doc {
                true => self.waiting.push((id.to_owned(), Some(line))),
                false => self.find(id, Kind::Prose, line),
            }
        }
    }

    fn literal(&mut self, line: usize, text: &str) {
        match &self.attribute {
            Some((_, words)) if words.starts_with("docalias") => {
                self.waiting.extend(ids(text).into_iter().map(|id| (id.to_owned(), None)));
            }
            _ if text.split(' ').all(is_an_id) => {
                ids(text).into_iter().for_each(|id| self.find(id, Kind::Citation, line));
            }
            _ => self.prose(line, text),
        }
    }

    fn find(&mut self, id: &str, kind: Kind, line: usize) {
        let in_test = self.for_tests || self.items.iter().any(|item| item.in_test);
        let item = self.path();
        self.found.push(Occurrence { id: id.to_owned(), kind, line, item, in_test });
    }

    /// The names of the items around, without modules.
    fn path(&self) -> String {
        let names = self.items.iter().filter(|item| item.keyword != "mod" && !item.name.is_empty());
        names.map(|item| item.name.as_str()).collect::<Vec<_>>().join("::")
    }

    fn word(&mut self, line: usize, word: &str) {
        let is_a_head = !matches!(self.before, '*' | '.' | '$');
        (self.before, self.after_hash) = (' ', false);
        if let Some((_, words)) = &mut self.attribute {
            return words.push_str(word);
        }
        match self.items.last_mut().filter(|item| !item.is_open) {
            // The type comes last: `impl<const N: usize> Round for Stud<N>`.
            Some(item) if item.keyword == "impl" => match word {
                "where" => item.keyword.push_str(" where"),
                _ if self.angles == 0 => word.clone_into(&mut item.name),
                _ => {}
            },
            Some(item) if item.keyword == "const" && item.name.is_empty() && word == "fn" => {
                word.clone_into(&mut item.keyword);
            }
            Some(item) if item.name.is_empty() && word != "mut" => {
                word.clone_into(&mut item.name);
                self.place_waiting(line);
            }
            Some(item) if !is_a_value(item) => {}
            _ if is_a_head && BEGIN_ITEMS.contains(&word) => {
                let in_test = std::mem::take(&mut self.for_tests);
                let (keyword, depth) = (word.to_owned(), self.depth);
                self.angles = 0;
                self.items.push(Item { keyword, depth, in_test, ..Item::default() });
            }
            // A variant or a field.
            _ if !self.waiting.is_empty() && !IN_HEADS.contains(&word) => {
                self.items.push(Item { name: word.to_owned(), ..Item::default() });
                self.place_waiting(line);
                self.items.pop();
            }
            _ => {}
        }
    }

    /// Gives what waits to the item around, whose name is on this line.
    fn place_waiting(&mut self, line: usize) {
        for (id, own_line) in std::mem::take(&mut self.waiting) {
            let kind = if own_line.is_some() { Kind::Prose } else { Kind::Alias };
            self.find(&id, kind, own_line.unwrap_or(line));
        }
    }

    fn mark(&mut self, mark: char) {
        if mark == '[' && self.after_hash && self.attribute.is_none() {
            self.attribute = Some((self.depth, String::new()));
        }
        match mark {
            '(' | '[' | '{' => {
                self.open(mark);
                self.depth += 1;
            }
            ')' | ']' | '}' => {
                self.depth = self.depth.saturating_sub(1);
                self.close(mark);
            }
            '<' => self.angles += 1,
            '>' if self.before != '-' && self.before != '=' => {
                self.angles = self.angles.saturating_sub(1);
            }
            ';' => self.end(),
            _ => {}
        }
        self.after_hash = mark == '#' || (mark == '!' && self.after_hash);
        self.before = mark;
    }

    fn open(&mut self, mark: char) {
        if self.attribute.is_some() {
            return;
        }
        let depth = self.depth;
        match self.items.last_mut().filter(|item| item.depth == depth) {
            Some(item) if mark == '{' => {
                item.is_open = true;
                self.place_waiting(0);
            }
            // `fn(usize) -> bool` is a type.
            Some(item) if item.keyword == "fn" && item.name.is_empty() => drop(self.items.pop()),
            _ => {}
        }
    }

    fn close(&mut self, mark: char) {
        let depth = self.depth;
        match &self.attribute {
            Some((began, words)) if mark == ']' && *began == depth => {
                self.for_tests |= words == "cfgtest";
                self.attribute = None;
            }
            Some(_) => {}
            None => {
                // A constant goes on to its semicolon.
                let is_over =
                    |item: &Item| item.depth == depth && item.is_open && !is_a_value(item);
                if mark == '}' && self.items.last().is_some_and(is_over) {
                    self.items.pop();
                }
            }
        }
    }

    fn end(&mut self) {
        let depth = self.depth;
        let is_over = |item: &Item| item.depth == depth && (!item.is_open || is_a_value(item));
        if self.items.last().is_some_and(is_over) {
            self.items.pop();
        }
        self.for_tests = false;
    }
}

/// The words that items begin with.
const BEGIN_ITEMS: [&str; 9] =
    ["fn", "mod", "struct", "enum", "trait", "static", "const", "impl", "macro_rules"];

/// Words between an attribute and the name or keyword of its item.
const IN_HEADS: [&str; 8] = ["pub", "crate", "super", "in", "unsafe", "async", "extern", "type"];

fn is_a_value(item: &Item) -> bool {
    matches!(item.keyword.as_str(), "const" | "static")
}

#[derive(Debug)]
struct Token {
    line: usize,
    text: String,
    is: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Comment,
    Literal,
    Word,
    Mark,
}

/// Words, marks, literals and comments; numbers are words, and a comment is one token a line.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let (is, end) = token(&chars, at);
        let text: String = chars[at..end].iter().collect();
        let lines = text.matches('\n').count();
        match is {
            Some(is @ (TokenKind::Comment | TokenKind::Literal)) => {
                let text = match is {
                    TokenKind::Literal => text.split_once('"').map_or("", |(_, inside)| inside),
                    _ => &text,
                };
                let text = text.trim_end_matches(['"', '#']);
                let text_lines = text.lines().map(str::to_owned).zip(line..);
                tokens.extend(text_lines.map(|(text, line)| Token { line, text, is }));
            }
            Some(is) => tokens.push(Token { line, text, is }),
            None => {}
        }
        line += lines;
        at = end;
    }
    tokens
}

/// What begins at a place, and where it ends; white space and characters are nothing.
fn token(chars: &[char], at: usize) -> (Option<TokenKind>, usize) {
    let is = |offset: usize, c: char| chars.get(at + offset) == Some(&c);
    let until = |from: usize, end: &[char]| {
        let found = chars[from..].windows(end.len()).position(|window| window == end);
        found.map_or(chars.len(), |found| from + found + end.len())
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word_end = |from: usize| {
        let rest = chars[from..].iter().position(|c| !is_word(*c));
        rest.map_or(chars.len(), |rest| from + rest)
    };
    match chars[at] {
        '/' if is(1, '/') => {
            (Some(TokenKind::Comment), until(at, &['\n']).saturating_sub(1).max(at + 2))
        }
        '/' if is(1, '*') => (Some(TokenKind::Comment), until(at + 2, &['*', '/'])),
        '"' => (Some(TokenKind::Literal), string_end(chars, at + 1)),
        'b' if is(1, '"') => (Some(TokenKind::Literal), string_end(chars, at + 2)),
        'r' if is(1, '"') => (Some(TokenKind::Literal), until(at + 2, &['"'])),
        'r' if is(1, '#') && is(2, '"') => (Some(TokenKind::Literal), until(at + 3, &['"', '#'])),
        '\'' if is(1, '\\') => (None, until(at + 3, &['\''])),
        '\'' if is(2, '\'') => (None, at + 3),
        '\'' => (Some(TokenKind::Word), word_end(at + 1)),
        c if is_word(c) => (Some(TokenKind::Word), word_end(at)),
        c if c.is_whitespace() => (None, at + 1),
        _ => (Some(TokenKind::Mark), at + 1),
    }
}

fn string_end(chars: &[char], from: usize) -> usize {
    let mut at = from;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}
