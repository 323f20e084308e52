import { describe, expect, it } from 'vitest';
import { SENTENCE_UNITS_MAX, splitLongText, splitSentences } from './split-sentences';

const trimmed = (text: string): string[] => splitSentences(text).map((sentence) => sentence.trim());

describe('sentences', () => {
  it.each([
    ['One sentence.', 1],
    ['One. Two! Three? Four', 4],
    ['Dr. Smith met Mrs. Jones and Prof. Lee.', 1],
    ['We like fruit, e.g. Apples, i.e. Red ones. Yes.', 2],
    ['He left the U.S. Army in May. She stayed.', 2],
    ['See No. 5 and Fig. 2 on pp. 10. Then go on.', 2],
    ['Is it true? No. It is not.', 3],
    ['Pi is 3.14159 and e is 2.71828. Both are irrational.', 2],
    ['It costs 1.000,50 Euro. Danke.', 2],
    ['Wait... what was that? Well... Nothing.', 3],
    ['Well… maybe. Perhaps…', 2],
    ['J. R. R. Tolkien wrote it. J. K. Rowling did not.', 2],
    ['"Stop!" he said. "Never," she answered.', 2],
    ['He asked "Why?" and left. (He came back.) Then he slept.', 3],
    ['“Komm!” rief er. »Nein.« Das war alles.', 3],
    ['At example.com there is v2.0.1 of it. Read it.', 2],
    ['Das gilt z.B. Montags, d.h. Morgen. Gut.', 2],
    ['A line that\nwas wrapped. Next one.', 2],
    ['A heading\n\nA paragraph. Another sentence.', 3],
    ['1. First point\n2. Second point\n3. Third point', 3],
    ['今日は雨です。明日は晴れます。本当ですか？はい！', 4],
    ['你好。今天天气很好！我们去公园吧？', 3],
    ['안녕하세요. 반갑습니다. 잘 지내세요?', 3],
    ['नमस्ते। आप कैसे हैं? मैं ठीक हूँ।', 3],
    ['مرحبا. كيف حالك؟ أنا بخير.', 3],
    ['שלום. מה שלומך? טוב.', 3],
    ['Yes! 😀 Really? 🎉🎉', 2],
    ['<speak>Hello! I say.</speak> Bye.', 2],
  ])('of %j: %i', (text, count) => {
    expect(trimmed(text)).toHaveLength(count);
    expect(splitSentences(text).join('')).toBe(text);
  });

  it('are what a reader takes for them', () => {
    expect(trimmed('Dr. No. 5 lives at 3.5 Elm St. Nobody knows... "Why?" he asked. The end.')).toEqual([
      'Dr. No. 5 lives at 3.5 Elm St. Nobody knows...',
      '"Why?" he asked.',
      'The end.',
    ]);
    expect(trimmed('今日は3.5度です。寒い！')).toEqual(['今日は3.5度です。', '寒い！']);
  });

  it('of nothing are none, and of nothing to say are one', () => {
    expect(splitSentences('')).toEqual([]);
    for (const text of [' ', '\n\n\n', '...', '!!! ??? ...', '😀 🎉\n\n👩‍🚀'])
      expect(splitSentences(text)).toEqual([text]);
  });

  it('without anything to say go with one that has something', () => {
    expect(splitSentences('\n\n... Hello. *** \n\n--- Bye. !!!')).toEqual(['\n\n... Hello. *** \n\n', '--- Bye. !!!']);
  });
});

describe('long sentences', () => {
  it.each([
    ['words', 'word '.repeat(400)],
    ['clauses', 'this is a clause; '.repeat(100)],
    ['commas', 'so it went on, '.repeat(100)],
    ['no blanks at all', 'x'.repeat(2_000)],
    ['Thai, which has none', 'ฉันรักประเทศไทยและอาหารไทยมาก'.repeat(60)],
    ['Chinese without a stop', '我们今天一起去公园散步然后回家吃饭'.repeat(60)],
    ['emoji', '😀'.repeat(1_500)],
    ['joined emoji', '👩‍👩‍👧‍👦'.repeat(300)],
    ['one character with endless marks', `a${'\u0301'.repeat(3_000)}`],
    ['blanks', ' '.repeat(2_000)],
  ])('of %s are bounded, lose nothing, and split no character', (_name, text) => {
    const pieces = splitSentences(text);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(SENTENCE_UNITS_MAX);
    for (const piece of pieces) expect(piece).not.toMatch(/\p{Surrogate}/u);
  });

  it('end at a clause rather than in the middle of one', () => {
    const [first] = splitLongText('The first part is this one here; the second goes on and on without any end', 50);
    expect(first).toBe('The first part is this one here; ');
  });

  it('of Thai end at words', () => {
    const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment('ฉันรักประเทศไทยและอาหารไทยมาก')].map(
      ({ segment }) => segment,
    );
    const [first] = splitLongText('ฉันรักประเทศไทยและอาหารไทยมาก', 20);
    const ends = words.reduce<string[]>((all, word) => [...all, (all.at(-1) ?? '') + word], []);
    expect(ends).toContain(first);
  });
});

describe('whatever text', () => {
  it('comes back whole, in pieces that are bounded', () => {
    const parts = [
      'Dr. ',
      'A',
      '. ',
      '...',
      '。',
      '\n',
      '\n\n',
      '😀',
      ' ',
      '"',
      '”',
      '3.5',
      'ก',
      'word',
      '\u0301',
      '!',
      '?',
      ')',
      '\r\n',
      '\u2029',
      '1. ',
      'U.S. ',
      'x'.repeat(90),
    ];
    let seed = 7;
    const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: 1 + (next() % 60) }, () => parts[next() % parts.length]).join('');
      const pieces = splitSentences(text);
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeGreaterThan(0);
        expect(piece.length).toBeLessThanOrEqual(SENTENCE_UNITS_MAX);
      }
    }
  });

  it('of the greatest length takes a bounded time', () => {
    for (const text of [
      '.'.repeat(4_096),
      ' .'.repeat(2_048),
      'A. '.repeat(1_365),
      '\u0301'.repeat(4_096),
      '"'.repeat(4_096),
      '😀'.repeat(4_096),
    ])
      expect(splitSentences(text).join('')).toBe(text);
  });
});
