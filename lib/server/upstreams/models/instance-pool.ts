import { type ListedInstance, readInstances } from '@/lib/protocol/e2ee/ml-kem/instances';
import { Malformed } from '@/lib/protocol/tee/malformed';
import type { WhenGone } from '../../http/call';
import type { AskedServer } from './model-exchange';
import { refusedError, UpstreamFailed } from './upstream-error';

const LIST_BYTES_MAX = 4 * 1024 * 1024;
const LIST_TIMEOUT_MS = 15_000;
/** Maximum age of a list of instances. It is short, because a list is only a random sample. */
const LIST_AGE_MAX_MS = 30_000;
/**
 * If an instance name is unknown, a new list is requested only if the last list is at least this old. Otherwise
 * invented names could cause many requests.
 */
const UNKNOWN_GAP_MS = 2_000;
const LISTS_PER_NONCE_MAX = 3;
const NONCE_MARGIN_MS = 5_000;

interface KnownInstance {
  publicKey: string;
  nonces: { value: string; untilMs: number }[];
  untilMs: number;
}

interface KnownModel {
  instances: Map<string, KnownInstance>;
  listedAtMs: number;
  listing: Promise<void> | null;
}

/**
 * Instances of an upstream's models, and nonces for single use. The upstream's control server allows only a few list
 * requests per minute.
 */
export class InstancePool {
  readonly #models = new Map<string, KnownModel>();

  constructor(
    private readonly control: AskedServer,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns instances with their public keys. Fetches a new list if the last list is too old or has none of the wanted
   * instances.
   *
   * @param wanted names of the wanted instances; empty if any instance will do
   * @throws {UpstreamFailed | ApiError} if the control server does not answer
   */
  async list(chute: string, wanted: readonly string[]): Promise<readonly Pick<ListedInstance, 'id' | 'publicKey'>[]> {
    const model = this.#modelOf(chute);
    this.#forgetOld(model);
    const isOld = this.now() - model.listedAtMs > LIST_AGE_MAX_MS;
    const isListed = wanted.length === 0 ? model.instances.size > 0 : wanted.some((id) => model.instances.has(id));
    if (isOld || !isListed) await this.#look(chute, model);
    return [...model.instances].map(([id, { publicKey }]) => ({ id, publicKey }));
  }

  /**
   * Returns a nonce for one request to an instance; null if none is available.
   * @throws {UpstreamFailed | ApiError} if the control server does not answer
   */
  async take(chute: string, instance: string, whenGone?: WhenGone): Promise<string | null> {
    const model = this.#modelOf(chute);
    for (let lists = 0; ; lists++) {
      this.#forgetOld(model);
      const known = model.instances.get(instance);
      const nonce = known?.nonces.shift();
      if (nonce !== undefined) return nonce.value;
      const isTooSoon = known === undefined && this.now() - model.listedAtMs < UNKNOWN_GAP_MS;
      if (isTooSoon || lists === LISTS_PER_NONCE_MAX || (known === undefined && lists > 0)) return null;
      await unlessGone(this.#look(chute, model), whenGone);
    }
  }

  #modelOf(chute: string): KnownModel {
    let model = this.#models.get(chute);
    if (!model) this.#models.set(chute, (model = { instances: new Map(), listedAtMs: -Infinity, listing: null }));
    return model;
  }

  #look(chute: string, model: KnownModel): Promise<void> {
    return (model.listing ??= this.#ask(chute, model).finally(() => (model.listing = null)));
  }

  async #ask(chute: string, { instances: known }: KnownModel): Promise<void> {
    const askedAtMs = this.now();
    const answer = await this.control.ask(
      { method: 'GET', path: `/e2e/instances/${encodeURIComponent(chute)}`, timeoutMs: LIST_TIMEOUT_MS },
      LIST_BYTES_MAX,
    );
    const { instances, lifetimeMs } =
      answer.status === 404 ? { instances: [], lifetimeMs: 0 } : readAnswer(answer, this.control);
    const untilMs = askedAtMs + lifetimeMs - NONCE_MARGIN_MS;
    for (const { id, publicKey, nonces } of instances) {
      const left = known.get(id)?.nonces ?? [];
      known.set(id, { publicKey, untilMs, nonces: [...left, ...nonces.map((value) => ({ value, untilMs }))] });
    }
    (this.#models.get(chute) as KnownModel).listedAtMs = askedAtMs;
  }

  #forgetOld({ instances }: KnownModel): void {
    const now = this.now();
    for (const [id, instance] of instances) {
      instance.nonces = instance.nonces.filter(({ untilMs }) => untilMs > now);
      if (instance.untilMs <= now) instances.delete(id);
    }
  }
}

function readAnswer(
  answer: Awaited<ReturnType<AskedServer['ask']>>,
  control: AskedServer,
): ReturnType<typeof readInstances> {
  if (answer.status !== 200) throw refusedError(answer, control);
  try {
    return readInstances(JSON.parse(answer.body.toString('utf8')));
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) throw new UpstreamFailed('away', { cause: error });
    throw error;
  }
}

/** Rejects when the client disconnects. Other callers may still wait for the list. */
function unlessGone(listing: Promise<void>, whenGone: WhenGone | undefined): Promise<void> {
  if (!whenGone) return listing;
  return new Promise((resolve, reject) => {
    const stop = whenGone(() => reject(new UpstreamFailed('gone', { isUnsent: true })));
    void listing.then(resolve, reject).finally(stop);
  });
}
