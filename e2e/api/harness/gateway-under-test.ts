import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Books } from './books';
import { type ApiDocument, DocumentedAnswers } from './documented-answers';
import { chosenEntry, type Entry, type GatewayProcess, openEntry } from './started-entry';
import { expectWhatHoldsForEveryAnswer } from './every-answer';
import { freePort } from './free-port';
import { type Answer, exchange, type Question } from './http-exchange';
import { type Caller, Operator } from './operator';
import { createStore, type Store } from './store';

/** Gateway process of a test file, with its operator commands and ledger. */
export interface GatewayUnderTest {
  readonly entry: Entry;
  readonly port: number;
  readonly url: string;
  readonly operator: Operator;
  readonly books: Books;
  /** Its data folder, which contains the database unless `databaseUrl` is set. */
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Sends a request, and checks the rules that hold for every answer. */
  ask(question: Question): Promise<Answer>;
  /** Sends a JSON-RPC body: strings and bytes unchanged, anything else as JSON. */
  rpc(body: unknown, options?: RpcOptions): Promise<Answer>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
  /** Stops the process with SIGTERM and waits for its exit. @throws Error if it had to be killed */
  terminate(): Promise<void>;
  /** Restarts the process with the same port and data. */
  start(): Promise<void>;
  /** Stops all processes and deletes the data. */
  stop(): Promise<void>;
  printed(): string;
}

export interface RpcOptions {
  /** Key of the caller; null for a request without a key. */
  as: Pick<Caller, 'key'> | null;
  /** ethereum-mainnet unless given. */
  network?: string;
  headers?: OutgoingHttpHeaders;
  chunked?: boolean;
}

export interface GatewayOptions {
  profile: 'live' | 'sandbox';
  /** The configuration file. */
  config?: object;
  env?: Readonly<Record<string, string>>;
}

/** Secret of every gateway in the suite. A sandbox derives its keys from it. */
export const CONTRACT_SECRET = 'a secret of the contract suite, worth nothing';

/** Gateway settings that may be in the developer's environment. */
const FOREIGN_SETTING =
  /^(TURNPIKE_(CONFIG|DATA_DIR|SECRET|PROFILE)|SANDBOX_.*|RPC_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV|NODE_OPTIONS|VITEST.*|DATABASE_URL|PG[A-Z]+)$/;

/** No stop delay, because there is no load balancer. Tests of stopping set their own. */
const NO_DELAY = { delaySeconds: 0 };

/** Starts a gateway with its own data on a free port, with the entry and store under test. */
export async function startGateway({ profile, config = {}, env = {} }: GatewayOptions): Promise<GatewayUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-contract-'));
  const dataDir = join(folder, 'data');
  const configFile = join(folder, 'turnpike.config.json');
  writeFileSync(configFile, JSON.stringify({ profile, drain: NO_DELAY, ...config }));
  const [entry, port, store] = [chosenEntry(), await freePort(), await createStore()];
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN_SETTING.test(name)));
  const settings = {
    ...inherited,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    HOST: '127.0.0.1',
    PORT: String(port),
    TURNPIKE_CONFIG: configFile,
    TURNPIKE_DATA_DIR: dataDir,
    TURNPIKE_SECRET: CONTRACT_SECRET,
    LOG_LEVEL: 'error',
    ...store.env,
    ...env,
  };
  const running = new RunningGateway(entry, port, settings);
  try {
    await running.start();
    return running.describe(profile, dataDir, store, folder);
  } catch (error) {
    await store.remove();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Cache by API description, because compiling its schemas takes a sixth of this process's time. */
const documented = new Map<string, DocumentedAnswers>();

function documentedAs(description: string): DocumentedAnswers {
  const known = documented.get(description) ?? new DocumentedAnswers(JSON.parse(description) as ApiDocument);
  documented.set(description, known);
  return known;
}

class RunningGateway {
  #process: GatewayProcess | null = null;
  #documented: DocumentedAnswers | null = null;

  constructor(
    private readonly entry: Entry,
    private readonly port: number,
    private readonly env: Record<string, string | undefined>,
  ) {}

  async start(): Promise<void> {
    this.#process = await openEntry(this.entry, this.port, this.env);
    const { text } = await exchange(this.port, { method: 'GET', path: '/api/v1/openapi.json' });
    this.#documented = documentedAs(text.replaceAll(`:${this.port}/`, '/'));
  }

  async ask(question: Question, profile: 'sandbox' | null): Promise<Answer> {
    const answer = await exchange(this.port, question);
    expectWhatHoldsForEveryAnswer(answer, question, profile);
    this.#documented?.expectDocumented(answer, question);
    return answer;
  }

  describe(profile: 'live' | 'sandbox', dataDir: string, store: Store, folder: string): GatewayUnderTest {
    const books = new Books(dataDir, store.databaseUrl);
    const ask = (question: Question) => this.ask(question, profile === 'sandbox' ? 'sandbox' : null);
    return {
      entry: this.entry,
      port: this.port,
      url: `http://127.0.0.1:${this.port}`,
      operator: new Operator(this.env),
      books,
      dataDir,
      databaseUrl: store.databaseUrl,
      ask,
      rpc: (body, options) => ask(rpcQuestion(body, options)),
      kill: async () => this.#process?.kill(),
      terminate: async () => this.#process?.terminate(),
      start: () => this.start(),
      stop: async () => {
        books.close();
        await this.#process?.stop();
        await store.remove();
        rmSync(folder, { recursive: true, force: true });
      },
      printed: () => this.#process?.printed() ?? '',
    };
  }
}

function rpcQuestion(
  body: unknown,
  { as, network = 'ethereum-mainnet', headers, chunked }: RpcOptions = { as: null },
): Question {
  return {
    method: 'POST',
    path: `/api/v1/crypto/rpc/${network}`,
    headers: { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as.key}` } : {}), ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    ...(chunked ? { chunked } : {}),
  };
}
