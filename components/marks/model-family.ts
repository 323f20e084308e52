const FAMILIES: readonly (readonly [family: string, name: RegExp])[] = [
  ['meta', /llama/i],
  ['mistral', /mi[sx]tral|codestral|devstral|voxtral/i],
  ['qwen', /qwen|qwq/i],
  ['deepseek', /deepseek/i],
  ['gemini', /gemma|gemini/i],
  ['kimi', /kimi/i],
  ['minimax', /minimax/i],
  ['nvidia', /nemotron|nvidia/i],
];

/** Returns the family of a model by its id, such as `qwen` for `Qwen/Qwen3-32B`; null if it is not known. */
export function familyOf(model: string): string | null {
  return FAMILIES.find(([, name]) => name.test(model))?.[0] ?? null;
}
