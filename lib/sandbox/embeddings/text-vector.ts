import type { Section } from '../guide/section';
import { synonymsOf, termsOf } from '../guide/words';

const PAIR_WEIGHT = 0.5;
const SYNONYM_WEIGHT = 0.4;
/** Weight of character trigrams, which place misspelled words near known words. */
const GRAM_WEIGHT = 0.15;
const GRAM_LENGTH = 3;

export type Rarity = (stem: string) => number;

/** Returns the inverse document frequency of stems in these sections, as in BM25. */
export function rarityAmong(sections: readonly Pick<Section, 'text' | 'heading'>[]): Rarity {
  const having = new Map<string, number>();
  for (const { heading, text } of sections) {
    for (const word of new Set(termsOf(`${heading} ${text}`).words)) having.set(word, (having.get(word) ?? 0) + 1);
  }
  return (stem) => {
    const count = having.get(stem) ?? 0;
    return Math.log(1 + (sections.length - count + 0.5) / (count + 0.5));
  };
}

/**
 * Returns a unit vector for a text. Features are stems, stem pairs, synonyms and trigrams; rare stems weigh more. Each
 * feature is hashed to an index and a sign (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning",
 * 2009). The vectors compare words, not meaning.
 */
export function textVector(text: string, dimensions: number, rarity: Rarity): number[] {
  const features = new Map<string, number>();
  const add = (feature: string, weight: number): void =>
    void features.set(feature, (features.get(feature) ?? 0) + weight);
  const { words, pairs } = termsOf(text);
  for (const [word, count] of countsOf(words)) {
    const weight = (1 + Math.log(count)) * rarity(word);
    add(word, weight);
    for (const synonym of synonymsOf(word)) add(synonym, weight * SYNONYM_WEIGHT);
    for (const gram of gramsOf(` ${word} `)) add(`gram ${gram}`, weight * GRAM_WEIGHT);
  }
  for (const [pair, count] of countsOf(pairs)) add(`pair ${pair}`, (1 + Math.log(count)) * PAIR_WEIGHT);
  // Trigrams distinguish texts that consist of stop words, such as "To be".
  for (const [gram, count] of countsOf(gramsOf(` ${text.toLowerCase()} `)))
    add(`letters ${gram}`, Math.log(1 + count) * GRAM_WEIGHT);
  return hashed(features, dimensions);
}

/** Returns a unit vector for token ids. Sequences that share tokens or token pairs are near each other. */
export function tokenVector(tokens: readonly number[], dimensions: number): number[] {
  const features = tokens.flatMap((token, index) => [
    `token ${token}`,
    ...(index > 0 ? [`tokens ${tokens[index - 1]} ${token}`] : []),
  ]);
  return hashed(countsOf(features), dimensions);
}

function gramsOf(text: string): string[] {
  const letters = [...text];
  return Array.from({ length: Math.max(1, letters.length - GRAM_LENGTH + 1) }, (_, at) =>
    letters.slice(at, at + GRAM_LENGTH).join(''),
  );
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function hashed(features: ReadonlyMap<string, number>, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const [feature, weight] of features) {
    const hash = hashOf(feature);
    const at = (hash >>> 1) % dimensions;
    vector[at] = (vector[at] as number) + (hash & 1 ? weight : -weight);
  }
  const length = Math.hypot(...vector);
  // With few dimensions, hashed features can cancel each other out.
  if (length === 0) return vector.map((_, at) => (at === 0 ? 1 : 0));
  return vector.map((value) => Math.fround(value / length));
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
