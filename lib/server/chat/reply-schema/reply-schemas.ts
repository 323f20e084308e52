import { hash } from 'node:crypto';
import type { InferenceConfig } from '../../config/inference';
import { CheckerOverrun, CheckerThread } from './checker-thread';
import { FairTurns } from './fair-turns';

const VERDICTS_MAX = 1_000;
const WAITING_MAX = 16;

const TOO_LONG = 'it takes too long to be checked';

type SchemaVerdict = { kind: 'usable' } | { kind: 'faulty'; fault: string } | { kind: 'busy' };

const USABLE: SchemaVerdict = { kind: 'usable' };

/**
 * Compiles response schemas and checks replies in a worker thread. Time is limited, because a caller's schema can take
 * arbitrarily long. Callers take turns.
 */
export class ReplySchemas {
  readonly #thread = new CheckerThread();
  readonly #turns = new FairTurns();
  readonly #verdicts = new Map<string, SchemaVerdict>();

  constructor(private readonly config: Pick<InferenceConfig, 'schemaCompileTimeoutMs' | 'replyCheckTimeoutMs'>) {}

  /**
   * Returns whether replies can be checked against a schema. Call this before asking an upstream, and only for callers
   * who can pay.
   * @param schema schema in which `strictSchemaFaults` finds no fault
   * @throws Error if the thread fails
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
   * Returns why a reply does not match the schema, as a clause without a full stop; null if the reply matches.
   * @param schema schema that `judge` found usable
   * @throws Error if the check itself cannot run. In that case the reply must not be charged
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
        fault: `Is too complex: it takes more than ${this.config.schemaCompileTimeoutMs} ms, or too much memory, to compile.`,
      };
    }
  }
}

function written(schema: Readonly<Record<string, unknown>>): { key: string; text: string } {
  const text = JSON.stringify(schema);
  return { key: hash('sha256', text, 'base64'), text };
}
