import { hash } from 'node:crypto';
import type { InferenceConfig } from '../../config/inference';
import { CheckerOverrun, CheckerThread } from './checker-thread';
import { FairTurns } from './fair-turns';

/** Verdicts on schemas, good and bad ones. */
const VERDICTS_MAX = 1_000;
/** Schemas of one caller that may wait to be compiled. */
const WAITING_MAX = 16;

const TOO_LONG = 'it takes too long to be checked';

/** What is thought of a schema: that replies can be held to it, why not, or that too many others wait. */
export type SchemaVerdict = { kind: 'usable' } | { kind: 'faulty'; fault: string } | { kind: 'busy' };

const USABLE: SchemaVerdict = { kind: 'usable' };

/**
 * Compiles response schemas and holds replies to them, in a thread of its own, each in a bounded time: a schema is a
 * program by a stranger. Callers take turns, so that nobody's schemas hold up everybody's.
 */
export class ReplySchemas {
  readonly #thread = new CheckerThread();
  readonly #turns = new FairTurns();
  /** By the hash of the schema, the one asked for longest ago first. */
  readonly #verdicts = new Map<string, SchemaVerdict>();

  constructor(private readonly config: Pick<InferenceConfig, 'schemaCompileTimeoutMs' | 'replyCheckTimeoutMs'>) {}

  /**
   * Whether replies can be held to a schema. To be asked before an upstream is, and of callers who can pay for that.
   * @param schema one that is strict, as `strictSchemaFaults` tells
   * @param caller whose time it takes
   * @throws Error where the gateway is at fault
   */
  async judge(schema: Readonly<Record<string, unknown>>, caller: number): Promise<SchemaVerdict> {
    const { key, text } = written(schema);
    const known = this.#verdicts.get(key);
    if (!known && this.#turns.waitingOf(caller) >= WAITING_MAX) return { kind: 'busy' };
    const verdict = known ?? (await this.#turns.take(caller, () => this.#compile(key, text)));
    this.#verdicts.delete(key);
    this.#verdicts.set(key, verdict);
    if (this.#verdicts.size > VERDICTS_MAX) this.#verdicts.delete(this.#verdicts.keys().next().value as string);
    return verdict;
  }

  /**
   * What keeps a text from being a JSON document of a schema, as a clause without a full stop; null for nothing.
   * @param schema one that `judge` found usable
   * @throws Error where the gateway is at fault: nothing to be charged for
   */
  async replyFault(reply: string, schema: Readonly<Record<string, unknown>>, caller: number): Promise<string | null> {
    const { key, text } = written(schema);
    try {
      return await this.#turns.take(caller, () =>
        this.#thread.ask({ kind: 'reply', key, schema: text, reply }, this.config.replyCheckTimeoutMs),
      );
    } catch (error) {
      if (error instanceof CheckerOverrun) return TOO_LONG;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #compile(key: string, text: string): Promise<SchemaVerdict> {
    try {
      const fault = await this.#thread.ask({ kind: 'schema', key, schema: text }, this.config.schemaCompileTimeoutMs);
      return fault === null ? USABLE : { kind: 'faulty', fault };
    } catch (error) {
      if (!(error instanceof CheckerOverrun)) throw error;
      return {
        kind: 'faulty',
        fault: `Takes more than ${this.config.schemaCompileTimeoutMs} ms, or too much memory, to be compiled.`,
      };
    }
  }
}

function written(schema: Readonly<Record<string, unknown>>): { key: string; text: string } {
  const text = JSON.stringify(schema);
  return { key: hash('sha256', text, 'base64'), text };
}
