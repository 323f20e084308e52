import { stem } from './stem';

/** Words that people use for one another in questions to a service of this kind. */
const GROUPS = [
  'cost price charge bill fee pay',
  'support available',
  'client sdk library package',
  'private privacy secret confidential read see',
  'prove guarantee',
  'deposit fund prepay',
  'limit quota cap',
  'live production',
  'login sign',
  'database sqlite postgres',
  'store keep save data log',
  'voice speech tts audio',
  'encrypt encryption ciphertext',
  'refuse error fail failure',
  'allowance allocation',
  'model llm',
  'chain network blockchain',
  'begin start install launch',
  'delete remove revoke erase',
  'withdraw unstake',
  'endpoint route url',
];

const SYNONYMS = new Map<string, Set<string>>();
for (const group of GROUPS) {
  const stems = group.split(' ').map(stem);
  for (const word of stems)
    SYNONYMS.set(word, new Set([...(SYNONYMS.get(word) ?? []), ...stems.filter((other) => other !== word)]));
}

/** The stems that mean about the same as a stem. */
export function synonymsOf(word: string): readonly string[] {
  return [...(SYNONYMS.get(word) ?? [])];
}
