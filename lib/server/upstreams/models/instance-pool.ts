import { type ListedInstance, readInstances } from '@/lib/protocol/e2ee/ml-kem/instances';
import { Malformed } from '@/lib/protocol/tee/malformed';
import type { WhenGone } from '../../http/call';
import type { AskedServer } from './model-exchange';
import { refusedError } from './upstream-error';
import { UpstreamFailed } from './upstream-failure';

const LIST_BYTES_MAX = 4 * 1024 * 1024;
const LIST_TIMEOUT_MS = 15_000;
/** A list that is no older says which instances there are. Lists of one moment hold some of all instances, drawn at random. */
const LIST_AGE_MAX_MS = 30_000;
/** Between two lists that are asked for since somebody named an instance that is in none: anybody can name one. */
const UNKNOWN_GAP_MS = 2_000;
const LISTS_PER_NONCE_MAX = 3;
/** Of a nonce's life is left to its way there. */
const NONCE_MARGIN_MS = 5_000;

interface KnownInstance {
  publicKey: string;
  nonces: { value: string; untilMs: number }[];
  /** Until when it is known without being listed again. */
  untilMs: number;
}

interface KnownModel {
  instances: Map<string, KnownInstance>;
  listedAtMs: number;
  listing: Promise<void> | null;
}

/**
 * Instances of an upstream's models, with the nonces that each may be asked with: each is given out once. The lists come
 * from the upstream's control server, which lets them be asked for a few times a minute.
 */
export class InstancePool {
  readonly #models = new Map<string, KnownModel>();

  constructor(
    private readonly control: AskedServer,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The instances that are known with their keys, as of a moment ago; as of now, where none of those is wanted that are known.
   * @param wanted names of instances, as many as can be used
   * @throws {UpstreamFailed | ApiError} where the control server does not say
   */
  async list(chute: string, wanted: readonly string[]): Promise<readonly Pick<ListedInstance, 'id' | 'publicKey'>[]> {
    const model = this.#modelOf(chute);
    this.#forgetOld(model);
    const isOld = this.now() - model.listedAtMs > LIST_AGE_MAX_MS || !wanted.some((id) => model.instances.has(id));
    if (isOld) await this.#look(chute, model);
    return [...model.instances].map(([id, { publicKey }]) => ({ id, publicKey }));
  }

  /**
   * A nonce for one question to an instance; null where there is no such instance any more.
   * @throws {UpstreamFailed | ApiError} as `list`
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

  /** Asks for a list; whoever wants one meanwhile waits for the same. */
  #look(chute: string, model: KnownModel): Promise<void> {
    return (model.listing ??= this.#ask(chute, model).finally(() => (model.listing = null)));
  }

  async #ask(chute: string, { instances: known }: KnownModel): Promise<void> {
    const askedAtMs = this.now();
    const answer = await this.control.ask(
      { method: 'GET', path: `/e2e/instances/${encodeURIComponent(chute)}`, timeoutMs: LIST_TIMEOUT_MS },
      LIST_BYTES_MAX,
    );
    // None is there that could be asked.
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

/** The list is for others too: whoever leaves only stops waiting. */
function unlessGone(listing: Promise<void>, whenGone: WhenGone | undefined): Promise<void> {
  if (!whenGone) return listing;
  return new Promise((resolve, reject) => {
    const stop = whenGone(() => reject(new UpstreamFailed('gone', { isUnsent: true })));
    void listing.then(resolve, reject).finally(stop);
  });
}
