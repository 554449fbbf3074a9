import MarkdownIt from 'markdown-it';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef‘’“”…—·]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** The characters around a place in a text; the edges count as blanks. */
const neighbours = (text: string, from: number, to: number) => ({
  before: from > 0 ? (text.at(from - 1) ?? ' ') : ' ',
  after: to < text.length ? (text[to] ?? ' ') : ' ',
});

/**
 * Markdown for Chinese texts. Two things differ from CommonMark, which was written for languages with blanks between
 * words: `**重点：**内容` is emphasis although a punctuation mark stands inside and a letter outside, and a line break
 * between two Chinese characters does not become a blank.
 */
function chineseMarkdown() {
  const md = new MarkdownIt({ html: true });
  const State = md.inline.State;
  class ChineseState extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const marker = this.src[start];
      let end = start;
      while (end < this.posMax && this.src[end] === marker) end += 1;
      const { before, after } = neighbours(this.src, start, end);
      const opens =
        !/\s/.test(after) &&
        (!PUNCTUATION.test(after) || /\s/.test(before) || PUNCTUATION.test(before) || CJK.test(before));
      const closes =
        !/\s/.test(before) &&
        (!PUNCTUATION.test(before) || /\s/.test(after) || PUNCTUATION.test(after) || CJK.test(after));
      return {
        can_open: opens && (canSplitWord || !closes || PUNCTUATION.test(before)),
        can_close: closes && (canSplitWord || !opens || PUNCTUATION.test(after)),
        length: end - start,
      };
    }
  }
  md.inline.State = ChineseState;
  md.renderer.rules.softbreak = (tokens, at) => {
    const before = tokens[at - 1]?.content.at(-1) ?? '';
    const after = tokens[at + 1]?.content[0] ?? '';
    return CJK.test(before) && CJK.test(after) ? '' : '\n';
  };
  return md;
}

const md = chineseMarkdown();

/** Renders Markdown to HTML that is not yet safe: it goes through the sanitizer next. */
export const renderMarkdown = (source: string): string => md.render(source);
