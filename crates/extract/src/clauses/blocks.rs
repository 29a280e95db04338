//! Walking a Markdown document: its headings, and its blocks of running text
//! with a map from each character back to the policy.
//!
//! HTML, code and front matter are text like any other: a rule hidden in a
//! comment or a code fence must be seen by whoever reads the coverage table.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Most words of a label.
const LONGEST_LABEL: usize = 5;

/// A heading with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// 1 for the outermost.
    pub(crate) level: u8,
    /// Its words.
    pub(crate) text: String,
    /// Its bytes in the policy.
    pub(crate) range: Range<usize>,
}

/// How a block is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Into sentences.
    Prose,
    /// Not at all: a table row or code.
    Whole,
    /// HTML: into sentences, its tags being no words.
    Html,
}

/// A run of text that no other block interrupts.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) shape: Shape,
    /// The text as a reader sees it.
    pub(super) text: String,
    /// Headings and lead-in sentences above it, outermost first.
    pub(super) context: Vec<String>,
    /// Whether its last sentence is a mere label of the list below it, such as
    /// 'Payment:'. A label is a heading in all but markup, so it is no clause.
    pub(super) ends_in_label: bool,
    pieces: Vec<Piece>,
}

/// Where a part of a block's text comes from.
#[derive(Clone, Debug)]
struct Piece {
    /// Bytes of the block's text.
    text: Range<usize>,
    /// Bytes of the policy.
    source: Range<usize>,
}

impl Block {
    /// The bytes of the policy that `range` of the block's text comes from.
    pub(super) fn source(&self, range: &Range<usize>) -> Range<usize> {
        let piece = |at: usize| {
            let index = self.pieces.partition_point(|piece| piece.text.end <= at);
            self.pieces.get(index)
        };
        let (Some(first), Some(last)) = (piece(range.start), piece(range.end.saturating_sub(1)))
        else {
            return 0..0;
        };
        let start = match first.is_verbatim() {
            true => first.source.start + range.start.saturating_sub(first.text.start),
            false => first.source.start,
        };
        let end = match last.is_verbatim() {
            true => last.source.start + range.end.saturating_sub(last.text.start),
            false => last.source.end,
        };
        start..end.max(start)
    }
}

impl Piece {
    fn is_verbatim(&self) -> bool {
        self.text.len() == self.source.len()
    }
}

/// Reads the blocks and headings of a document in order.
pub(super) fn blocks(policy: &str) -> (Vec<Block>, Vec<Heading>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut walk = Walk::new(policy);
    for (event, range) in Parser::new_ext(policy, options).into_offset_iter() {
        walk.event(event, range);
    }
    walk.flush();
    (walk.blocks, walk.headings)
}

/// Something that holds blocks, with the words that lead to them.
#[derive(Debug)]
struct Container {
    lead: Option<String>,
    is_item: bool,
}

struct Walk<'a> {
    policy: &'a str,
    blocks: Vec<Block>,
    headings: Vec<Heading>,
    /// Indices of the headings in force, outermost first.
    path: Vec<(u8, String)>,
    containers: Vec<Container>,
    /// The block being read.
    open: Option<Block>,
    /// The prose right before, in the same container.
    before: Option<String>,
    /// Level and bytes of the heading being read.
    heading: Option<(u8, Range<usize>)>,
    /// The shape of the block to be opened next.
    shape: Shape,
}

impl<'a> Walk<'a> {
    fn new(policy: &'a str) -> Self {
        Walk {
            policy,
            blocks: Vec::new(),
            headings: Vec::new(),
            path: Vec::new(),
            containers: Vec::new(),
            open: None,
            before: None,
            heading: None,
            shape: Shape::Prose,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) | Event::Code(text) => {
                self.push(&text, range);
            }
            Event::SoftBreak | Event::HardBreak => self.push(" ", range),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.push(&text, range);
            }
            Event::Rule => {
                self.flush();
                self.before = None;
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some((*level as u8, range));
            }
            Tag::Paragraph
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => {
                self.flush();
            }
            Tag::HtmlBlock => {
                self.flush();
                self.shape = Shape::Html;
            }
            Tag::MetadataBlock(_) => {
                self.flush();
                self.shape = Shape::Whole;
            }
            Tag::List(_) | Tag::BlockQuote(_) | Tag::Table(_) | Tag::FootnoteDefinition(_) => {
                self.enter()
            }
            Tag::CodeBlock(_) => {
                self.enter();
                self.shape = Shape::Whole;
            }
            Tag::Item => {
                self.flush();
                self.before = None;
                self.containers.push(Container {
                    lead: None,
                    is_item: true,
                });
            }
            Tag::TableHead | Tag::TableRow => {
                self.flush();
                self.shape = Shape::Whole;
            }
            Tag::TableCell if self.open.is_some() => self.push(" | ", range.start..range.start),
            // Inline markup: its text comes as text.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.end_heading(),
            TagEnd::TableHead => {
                // The names of the columns lead to every row.
                if let (Some(head), Some(table)) = (self.open.take(), self.containers.last_mut()) {
                    let head = squeeze(&head.text);
                    table.lead = Some(match table.lead.take() {
                        Some(lead) => format!("{lead} {head}"),
                        None => head,
                    });
                }
                self.shape = Shape::Prose;
            }
            TagEnd::Paragraph
            | TagEnd::HtmlBlock
            | TagEnd::MetadataBlock(_)
            | TagEnd::TableRow
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition => self.flush(),
            TagEnd::List(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::Table
            | TagEnd::FootnoteDefinition
            | TagEnd::CodeBlock
            | TagEnd::Item => {
                self.flush();
                self.containers.pop();
                self.before = None;
            }
            _ => {}
        }
    }

    /// Enters a container. What leads to it is the text of the item it stands
    /// in, or a sentence right before it that ends in a colon.
    fn enter(&mut self) {
        self.flush();
        let in_item = self
            .containers
            .last()
            .is_some_and(|container| container.is_item);
        let lead = match self.before.take() {
            Some(text) if in_item => Some(text),
            Some(text) if text.ends_with(':') => {
                let last = super::sentences::sentences(&text).pop();
                let lead = last
                    .and_then(|range| text.get(range))
                    .unwrap_or(&text)
                    .to_owned();
                if let Some(block) = self.blocks.last_mut() {
                    block.ends_in_label = lead.split_whitespace().count() <= LONGEST_LABEL;
                }
                Some(lead)
            }
            _ => None,
        };
        self.containers.push(Container {
            lead,
            is_item: false,
        });
    }

    fn push(&mut self, text: &str, range: Range<usize>) {
        // Text within code marks or behind an escape is found inside its range.
        let source = match self.policy.get(range.clone()) {
            Some(slice) if slice.len() != text.len() => {
                slice.find(text).map_or(range.clone(), |at| {
                    range.start + at..range.start + at + text.len()
                })
            }
            _ => range,
        };
        let context = self.context();
        let shape = self.shape;
        let block = self.open.get_or_insert_with(|| Block {
            shape,
            text: String::new(),
            context,
            ends_in_label: false,
            pieces: Vec::new(),
        });
        let start = block.text.len();
        block.text.push_str(text);
        block.pieces.push(Piece {
            text: start..block.text.len(),
            source,
        });
    }

    fn context(&self) -> Vec<String> {
        let headings = self.path.iter().map(|(_, text)| text.clone());
        let leads = self
            .containers
            .iter()
            .filter_map(|container| container.lead.clone());
        headings.chain(leads).collect()
    }

    fn flush(&mut self) {
        if let Some(block) = self.open.take()
            && !block.text.trim().is_empty()
        {
            let is_prose = block.shape == Shape::Prose;
            self.before = is_prose.then(|| squeeze(&block.text));
            self.blocks.push(block);
        }
        self.shape = Shape::Prose;
    }

    fn end_heading(&mut self) {
        let text = self
            .open
            .take()
            .map(|block| squeeze(&block.text))
            .unwrap_or_default();
        let Some((level, range)) = self.heading.take() else {
            return;
        };
        while self.path.last().is_some_and(|(above, _)| *above >= level) {
            self.path.pop();
        }
        self.path.push((level, text.clone()));
        self.headings.push(Heading { level, text, range });
        self.before = None;
    }
}

/// White space normalised: one space between words, none around.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
