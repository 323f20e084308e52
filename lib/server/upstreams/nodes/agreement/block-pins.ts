import type { HeadMark } from '../caller-marks';
import { askNode } from '../ask-node';
import { heightOf } from '../head-height';
import type { UpstreamNode } from '../upstream-node';
import { pause, untilCancelled, UpstreamFailure } from '../upstream-failure';
import type { WhenGone } from '../../../http/call';

/** Block tags that are resolved to one number, so that all nodes are asked about the same block. */
export type BlockTag = 'latest' | 'safe' | 'finalized';

const TAG_TIMEOUT_MS = 2_000;
const REACHED_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 100;

export interface PinOptions {
  agreeing: number;
  /** Undefined for the gateway's own calls. */
  mark: HeadMark | undefined;
  whenGone: WhenGone | undefined;
  deadline: number;
}

/**
 * Resolves each block tag once per call, so that `latest` is the same block for all items of a batch. `latest` is the
 * newest block that enough nodes have, so that no single node can choose that block.
 */
export class BlockPins {
  readonly #heights = new Map<BlockTag, Promise<number>>();

  constructor(
    private readonly nodes: readonly UpstreamNode[],
    private readonly options: PinOptions,
  ) {}

  /** @throws UpstreamFailure if too few nodes report their height in time */
  heightOf(tag: BlockTag): Promise<number> {
    let height = this.#heights.get(tag);
    if (!height) this.#heights.set(tag, (height = tag === 'latest' ? this.#latest() : this.#tagged(tag)));
    return height;
  }

  nodesAt(height: number): number {
    return this.nodes.filter(({ heads }) => heads !== null && heads.heightOf(0) >= height).length;
  }

  async #latest(): Promise<number> {
    const { mark, whenGone } = this.options;
    const until = Math.min(this.options.deadline, performance.now() + REACHED_WITHIN_MS);
    for (;;) {
      await this.#enough(async ({ heads }) => {
        await heads?.look(0);
        return heads?.freshHeightOf(0, performance.now()) ?? null;
      });
      const now = performance.now();
      const height = this.#shared(
        this.nodes.map(({ heads, health }) => (health.servesChain ? (heads?.freshHeightOf(0, now) ?? null) : null)),
      );
      const wanted = mark?.heightAt(0, now) ?? 0;
      if (height >= wanted || now >= until) {
        // The caller learns this height, so later answers must not be about an older block.
        mark?.rise(0, height, now);
        return height;
      }
      await pause(LOOK_EVERY_MS, whenGone);
    }
  }

  async #tagged(tag: BlockTag): Promise<number> {
    const heights: (number | null)[] = [];
    await this.#enough(async ({ upstream }) => {
      const block = await askNode(
        upstream,
        { method: 'eth_getBlockByNumber', params: `["${tag}",false]` },
        TAG_TIMEOUT_MS,
      );
      const height =
        typeof block === 'object' && block !== null ? heightOf((block as { number?: unknown }).number) : null;
      heights.push(height);
      return height;
    });
    return this.#shared(heights);
  }

  /** Asks all nodes for their height. Waits until enough nodes have answered or all requests have ended. */
  async #enough(ask: (node: UpstreamNode) => Promise<number | null>): Promise<void> {
    const { agreeing, whenGone, deadline } = this.options;
    const asked = this.nodes.filter((node) => node.health.servesChain && node.isConnectable(performance.now()));
    let told = 0;
    let ended = 0;
    const event = new Promise<void>((resolve) => {
      if (asked.length === 0) resolve();
      for (const node of asked) {
        void ask(node)
          .catch(() => null)
          .then((height) => {
            ended++;
            if (height !== null) told++;
            if (told >= agreeing || ended === asked.length) resolve();
          });
      }
    });
    await untilCancelled(event, whenGone && { whenGone, onSent: () => undefined }, deadline);
  }

  #shared(heights: readonly (number | null)[]): number {
    const { agreeing } = this.options;
    const known = heights.filter((height) => height !== null).sort((a, b) => b - a);
    const height = known[agreeing - 1];
    if (height === undefined)
      throw new UpstreamFailure(
        'unavailable',
        `${agreeing} upstreams must agree, but only ${known.length} of ${this.nodes.length} reported their newest block`,
      );
    return height;
  }
}
