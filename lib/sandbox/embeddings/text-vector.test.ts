import { describe, expect, it } from 'vitest';
import { readDocuments } from '../guide/documents';
import { rarityAmong, textVector, tokenVector } from './text-vector';

const rarity = rarityAmong(readDocuments(process.cwd()));
const vector = (text: string, dimensions = 1_024) => textVector(text, dimensions, rarity);
const nearness = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * (other[index] as number), 0);

describe('a text', () => {
  it('always has the same vector, of length 1', () => {
    for (const text of ['How do I stake?', 'a', ' ', '\u{1f600}', 'To be or not to be', 'x'.repeat(100_000)]) {
      const made = vector(text);
      expect(vector(text)).toEqual(made);
      expect(Math.hypot(...made)).toBeCloseTo(1, 5);
    }
  });

  it.each([
    ['How do I stake my tokens?', 'Staking locks tokens for a daily allocation.', 'The video is rendered as an MP4.'],
    ['price of a call', 'What does each call cost, and its price?', 'A voice speaks the text.'],
    [
      'The enclave attests its key',
      'Attestation of the enclave and its keys',
      'Solana transactions are signed by wallets',
    ],
    ['attestation', 'atestation', 'blockchain'],
    ['Wie stelle ich Token bereit?', 'Token bereitstellen', 'Der Himmel ist heute blau'],
  ])('%s is nearer to what is like it than to what is not', (text, like, unlike) => {
    const to = (other: string) => nearness(vector(text), vector(other));
    expect(to(like)).toBeGreaterThan(to(unlike) + 0.05);
  });

  it('finds its own section among those of the documentation', () => {
    const sections = readDocuments(process.cwd()).filter(({ document }) => document === 'docs/speech.md');
    const vectors = sections.map(({ heading, text }) => vector(`${heading} ${text}`));
    for (const [index, { text }] of sections.entries()) {
      const asked = vector(text.slice(0, 400));
      const order = vectors.map((each, at) => [nearness(asked, each), at] as const).sort(([a], [b]) => b - a);
      expect(order.slice(0, 2).map(([, at]) => at)).toContain(index);
    }
  });

  it('has a vector of length 1 in few dimensions too', () => {
    for (const dimensions of [1, 2, 3, 8])
      expect(Math.hypot(...vector('How do I stake?', dimensions))).toBeCloseTo(1, 5);
  });
});

describe('token ids', () => {
  it('are nearer to a sequence that shares them than to another', () => {
    const to = (tokens: number[]) => nearness(tokenVector([1, 2, 3, 4], 256), tokenVector(tokens, 256));
    expect(to([1, 2, 3, 9])).toBeGreaterThan(to([5, 6, 7, 8]) + 0.3);
    expect(to([1, 2, 3, 4])).toBeCloseTo(1, 5);
  });
});
