import { TOKEN_LIMIT_NAMES, type TokenLimitName } from '@/lib/protocol/chat/chat-request';
import type { UpstreamAnswer } from './model-exchange';

/** What a server refuses in requests that others take: a field by its name, or the two limits of tokens together. */
export type Oddity = TokenLimitName | 'two-limits' | 'stream_options';

export type Oddities = ReadonlySet<Oddity>;

/** Models of one server that are remembered. */
const MODELS_MAX = 5_000;
/** Of a refusal that are searched for names. */
const REFUSAL_CHARACTERS_MAX = 16_384;

const NONE: Oddities = new Set();

/** What the models of a server were found to refuse, by its errors; remembered until the gateway starts anew or reads its configuration again. */
export class LearnedOddities {
  readonly #byModel = new Map<string, Oddities>();

  of(modelId: string): Oddities {
    return this.#byModel.get(modelId) ?? NONE;
  }

  learn(modelId: string, oddities: Oddities): void {
    if (this.#byModel.has(modelId) || this.#byModel.size < MODELS_MAX) this.#byModel.set(modelId, oddities);
  }
}

/**
 * What to leave out of the next attempt, after a refusal that names what a request may do without.
 * @param known what was left out of the refused one
 * @param sent the limits that the refused one had, and whether it had `stream_options`
 * @returns null where another attempt would change nothing
 */
export function odditiesAfter({ status, body }: UpstreamAnswer, known: Oddities, sent: { limits: readonly TokenLimitName[]; streamOptions: boolean }): Oddities | null {
  if (status !== 400 && status !== 422) return null;
  const said = namesOf(body);
  const found = new Set(known);
  if (sent.streamOptions && /stream_options|include_usage/.test(said)) found.add('stream_options');
  if (TOKEN_LIMIT_NAMES.some((name) => said.includes(name))) {
    const [only] = sent.limits;
    if (sent.limits.length > 1) found.add('two-limits');
    else if (only !== undefined && !TOKEN_LIMIT_NAMES.some((name) => known.has(name))) found.add(only);
  }
  return found.size > known.size ? found : null;
}

/** The text of a refusal, without the request that FastAPI repeats in it. */
function namesOf(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, REFUSAL_CHARACTERS_MAX)).toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) => (key === 'input' ? undefined : value)) ?? '';
  } catch {
    return text;
  }
}
