import { stem } from './stem';

/** Words that callers use interchangeably when they ask about the gateway. */
const GROUPS = [
  'cost price charge bill fee pay',
  'free trial',
  'coin token currency card',
  'refund back',
  'steal stole stolen lost lose leaked',
  'spend spent spending',
  'message chat conversation prompt',
  'picture image photo',
  'request call',
  'account register registration email password',
  'python javascript code program',
  'aloud speech',
  'empty run',
  'write prompt message',
  'support available',
  'client sdk library package',
  'private privacy secret confidential read see',
  'prove guarantee',
  'deposit fund prepay add',
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

export function synonymsOf(word: string): readonly string[] {
  return [...(SYNONYMS.get(word) ?? [])];
}
