import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readNvidiaPayload } from '@/lib/protocol/tee/gpu/nvidia-payload';
import { boundedFetch, ServiceFailed } from './bounded-fetch';

export interface NvidiaVerdict {
  /** NVIDIA's verdict, in the format `[["JWT", overall], {"GPU-0": token, …}]`. */
  verdict: unknown;
  /** Public keys that verify the tokens, as a JSON Web Key Set. Each key includes its certificates. */
  keys: { keys: unknown[] };
}

const NAME = "NVIDIA's attestation service";
const ANSWER_BYTES_MAX = 1_048_576;
const KEYS_BYTES_MAX = 4_194_304;
const VERDICTS_MAX = 64;
const VERDICT_MS = 300_000;
const KEYS_MS = 12 * 3_600_000;
/** An unknown key id causes a new download of NVIDIA's keys, at most once in this time. */
const LOOK_AGAIN_MS = 30_000;

const token = z
  .string()
  .max(65_536)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);
const bundle = z.tuple([z.tuple([z.literal('JWT'), token]), z.record(z.string().max(100), token)]);
const keySet = z.object({
  keys: z
    .array(
      z.object({
        kid: z.string().max(200),
        kty: z.string().max(10),
        crv: z.string().max(20).optional(),
        x: z.string().max(200).optional(),
        y: z.string().max(200).optional(),
        x5c: z.array(z.string().max(20_000)).max(4).optional(),
      }),
    )
    .max(1_000),
});

type Key = z.output<typeof keySet>['keys'][number];

/**
 * Client of NVIDIA's Remote Attestation Service for GPU evidence. Browsers cannot call that service, because it refuses
 * CORS preflights. Verdicts are cached for five minutes and keep NVIDIA's signature.
 */
export class NvidiaService {
  readonly #verdicts = new Map<string, { verdict: Promise<NvidiaVerdict>; untilMs: number }>();
  #keys: { byId: ReadonlyMap<string, Key>; lookedAtMs: number } = { byId: new Map(), lookedAtMs: -Infinity };
  #looking: Promise<void> | null = null;

  /** @param url base URL, without a trailing slash */
  constructor(
    private readonly url: string,
    private readonly timeoutMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns NVIDIA's verdict on a report's evidence.
   * @param payload report's `nvidia_payload`
   * @throws ServiceFailed if the service returns no verdict; Malformed for invalid evidence
   */
  verdictOn(payload: string): Promise<NvidiaVerdict> {
    const { nonce, arch, evidence } = readNvidiaPayload(payload);
    const request = JSON.stringify({ nonce, arch, evidence_list: evidence });
    const id = createHash('sha256').update(request).digest('base64');
    const held = this.#verdicts.get(id);
    if (held && this.now() < held.untilMs) return held.verdict;
    const verdict = this.#ask(request);
    this.#verdicts.set(id, { verdict, untilMs: this.now() + VERDICT_MS });
    verdict.catch(() => this.#verdicts.delete(id));
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size > VERDICTS_MAX && oldest !== undefined) this.#verdicts.delete(oldest);
    return verdict;
  }

  async #ask(request: string): Promise<NvidiaVerdict> {
    const { body } = await boundedFetch({
      name: NAME,
      url: `${this.url}/v3/attest/gpu`,
      json: request,
      timeoutMs: this.timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
    });
    const said = parsed(bundle, body, 'a verdict');
    const ids = new Set([said[0][1], ...Object.values(said[1])].map(keyIdOf).filter((id) => id !== null));
    return { verdict: said, keys: { keys: await this.#keysOf(ids) } };
  }

  /** Returns only NVIDIA's public keys with these ids. Omits keys that are not found. */
  async #keysOf(ids: ReadonlySet<string>): Promise<Key[]> {
    const found = () => [...ids].flatMap((id) => this.#keys.byId.get(id) ?? []);
    const ageMs = this.now() - this.#keys.lookedAtMs;
    const isStale = ageMs > KEYS_MS || (found().length < ids.size && ageMs > LOOK_AGAIN_MS);
    if (isStale || this.#looking !== null) await (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
    return found();
  }

  async #look(): Promise<void> {
    const lookedAtMs = this.now();
    try {
      const { body } = await boundedFetch({
        name: NAME,
        url: `${this.url}/.well-known/jwks.json`,
        timeoutMs: this.timeoutMs,
        bytesMax: KEYS_BYTES_MAX,
      });
      this.#keys = { byId: new Map(parsed(keySet, body, 'keys').keys.map((key) => [key.kid, key])), lookedAtMs };
    } catch {
      this.#keys = { byId: this.#keys.byId, lookedAtMs };
    }
  }
}

function parsed<T>(schema: z.ZodType<T>, body: Buffer, what: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw new ServiceFailed(`${NAME} did not answer with ${what}.`, { cause: error });
  }
}

function keyIdOf(text: string): string | null {
  try {
    const { kid } = JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString('utf8')) as {
      kid?: unknown;
    };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
