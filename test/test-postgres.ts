import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Secret } from '@/lib/server/config/secret';
import { openPostgres } from '@/lib/server/db/postgres/open';
import { partitionDatabases } from './partition-databases';

/**
 * Folder in memory. It is used only if it has room for several clusters. In containers it often has 64 MiB, enough for
 * one.
 */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 1024 ** 3;
const PARENT = existsSync(MEMORY) && freeBytes(MEMORY) >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
const START_TIMEOUT_MS = 30_000;
const USER = 'postgres';
const SETTINGS = ['listen_addresses=', 'log_min_messages=fatal'];
const CONNECTIONS_MAX = 60;
/** Fast settings without durability, because test data is worthless. */
const VOLATILE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', 'autovacuum_naptime=10s'];

/**
 * Shell script that starts the server and waits for a line on its input. The line `rest` stops the server normally; the
 * script then waits for another line. Any other line crashes the server. The input ends when this process ends in any
 * way. The script then stops the server and deletes the folder ($0).
 */
const GUARD =
  'exec 3<&0; "$@" </dev/null 3<&- & server=$!; read -r asked <&3; ended=$?; ' +
  'if [ "$asked" = rest ]; then kill -INT $server; wait $server; read -r _ <&3; ended=$?; else kill -QUIT $server; wait $server; fi; ' +
  '[ $ended = 0 ] || rm -rf "$0"';

/** Postgres server for this test run only, on a socket in its own folder. */
export class TestPostgres {
  /** Cluster that is migrated, stopped, and then copied. Each process makes only one. */
  static #model: Promise<TestPostgres> | null = null;
  #databases = 0;
  #migrated: Promise<string> | null = null;
  #admin: Promise<pg.Client> | null = null;
  #child: ChildProcess | null = null;

  private constructor(
    private readonly bin: string,
    private readonly folder: string,
    private readonly owner: { uid: number; gid: number } | null,
    private readonly settings: readonly string[],
  ) {}

  /**
   * Creates a cluster and starts its server.
   * @param durable true to store on disk with usual settings, for measurements
   * @param connectionsMax must allow 15 connections per gateway
   * @throws Error if Postgres is not installed
   */
  static async start({ durable = false, connectionsMax = CONNECTIONS_MAX } = {}): Promise<TestPostgres> {
    const server = TestPostgres.#withFolder(durable ? tmpdir() : PARENT, [
      ...SETTINGS,
      `max_connections=${connectionsMax}`,
      ...(durable ? [] : VOLATILE_SETTINGS),
    ]);
    return server.#startWith(() => {
      const args = ['-D', server.#data, '-U', USER, '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8'];
      execFileSync(join(server.bin, 'initdb'), args, {
        cwd: server.folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        ...server.owner,
      });
    });
  }

  /**
   * Starts a server on a copy of a cluster that this process makes once. Shares nothing with other servers. Starts much
   * faster than creating and migrating a cluster.
   * @throws Error if Postgres is not installed
   */
  static async startCopy(): Promise<TestPostgres> {
    const model = await (TestPostgres.#model ??= TestPostgres.#makeModel());
    const server = TestPostgres.#withFolder(PARENT, model.settings);
    server.#databases = model.#databases;
    server.#migrated = model.#migrated;
    return server.#startWith(() => execFileSync('cp', ['-R', '-p', model.#data, server.#data]));
  }

  static async #makeModel(): Promise<TestPostgres> {
    const model = await TestPostgres.start();
    try {
      model.#migrated = model.#migrate();
      await model.#migrated;
      await model.#rest();
      return model;
    } catch (error) {
      await model.remove();
      throw error;
    }
  }

  static #withFolder(parent: string, settings: readonly string[]): TestPostgres {
    const bin = findPostgres();
    if (!bin)
      throw new Error(
        'No Postgres is installed: initdb and postgres are neither in PATH nor under /usr/lib/postgresql.',
      );
    const owner = otherUser();
    const folder = mkdtempSync(join(parent, 'turnpike-pg-'));
    chmodSync(folder, 0o700);
    if (owner) chownSync(folder, owner.uid, owner.gid);
    return new TestPostgres(bin, folder, owner, settings);
  }

  async #startWith(makeCluster: () => void): Promise<this> {
    try {
      makeCluster();
      await this.restart();
      return this;
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  /** Process id of the shell. All server processes are its descendants. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Returns the URL of a database on this server. */
  url(database: string): string {
    return `postgres:///${database}?user=${USER}&host=${encodeURIComponent(this.folder)}`;
  }

  /** Creates an empty database without a schema. @returns its URL */
  async createDatabase(): Promise<string> {
    return this.url(await this.#create('template1'));
  }

  /**
   * Creates an empty database with the current schema by copying a migrated one, which takes half the time of a
   * migration.
   *
   * @returns its URL
   */
  async createMigratedDatabase(): Promise<string> {
    if (process.env.CONTRACT_STORE === 'partitions') return (await this.createPartitionedDatabase()).coordinator;
    this.#migrated ??= this.#migrate();
    return this.url(await this.#create(await this.#migrated));
  }

  /** Creates a coordinator and two partitions, as databases of this server. @returns their URLs */
  async createPartitionedDatabase(): Promise<{ coordinator: string; partitions: string[] }> {
    const template = await (this.#migrated ??= this.#migrate());
    const coordinator = this.url(await this.#create(template));
    const names = [await this.#create(template), await this.#create(template)];
    const at = (dbname: string) => ({ url: this.url(dbname), server: { host: this.folder, dbname, user: USER } });
    await partitionDatabases(coordinator, names.map(at));
    return { coordinator, partitions: names.map((name) => this.url(name)) };
  }

  async #create(template: string): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.#asAdmin(async (client) => {
      const { rows } = await client.query<{ version: number }>(
        "select current_setting('server_version_num')::integer as version",
      );
      // Copies files, which was the only way before Postgres 15. The newer way also writes to the write-ahead log. That
      // is slower and matters only for durability.
      const strategy = (rows[0]?.version ?? 0) >= 150_000 ? 'strategy file_copy' : '';
      await client.query(`create database ${name} template ${template} ${strategy}`);
    });
    return name;
  }

  async #migrate(): Promise<string> {
    const name = await this.#create('template1');
    await (await openPostgres(new Secret(this.url(name)))).close();
    return name;
  }

  /** Kills the server as a crash would. The next start recovers its data. */
  async crash(): Promise<void> {
    await this.#endAdmin();
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end('crash\n');
    await ended;
  }

  /**
   * Stops the server without a crash. The server's shell remains, to delete the folder when this process ends, but does
   * not keep this process alive.
   */
  async #rest(): Promise<void> {
    await this.#endAdmin();
    const file = join(this.#data, 'postmaster.pid');
    this.#child?.stdin?.write('rest\n');
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (existsSync(file)) {
      if (Date.now() > deadline) throw new Error('Postgres does not stop.');
      await sleep(10);
    }
    this.#child?.unref();
    for (const pipe of [this.#child?.stdin, this.#child?.stderr]) (pipe as Socket | null | undefined)?.unref();
  }

  async restart(): Promise<void> {
    const settings = [...this.settings, `unix_socket_directories=${this.folder}`].flatMap((setting) => ['-c', setting]);
    const child = spawn(
      '/bin/sh',
      ['-c', GUARD, this.folder, join(this.bin, 'postgres'), '-D', this.#data, ...settings],
      {
        cwd: this.folder,
        stdio: ['pipe', 'ignore', 'pipe'],
        ...this.owner,
      },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.on('error', () => undefined);
    this.#child = child;
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const refused = await this.#asAdmin((client) => client.query('select 1')).then(
        () => null,
        (error: Error) => error,
      );
      if (!refused) return;
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`Postgres does not start: ${refused.message}\n${said}`);
      await sleep(25);
    }
  }

  /** Stops the server and deletes its folder. */
  async remove(): Promise<void> {
    await this.crash();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs `work` on one shared connection, because opening a connection takes longer than most of this work. */
  async #asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    try {
      await work(await (this.#admin ??= this.#connectAdmin()));
    } catch (error) {
      await this.#endAdmin();
      throw error;
    }
  }

  async #connectAdmin(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url('postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async #endAdmin(): Promise<void> {
    const admin = this.#admin;
    this.#admin = null;
    await admin?.then((client) => client.end()).catch(() => undefined);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Returns the folder of initdb and postgres: from PATH, else Debian's newest version. Null if Postgres is not
 * installed.
 */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return (
    folders.find((folder) => folder && ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

/** Returns whether the tests' Postgres has PL/Proxy (Debian: postgresql-15-plproxy). */
export function hasPlProxy(): boolean {
  const bin = findPostgres();
  // A folder in PATH may contain only links to the programs.
  return bin !== null && existsSync(join(dirname(realpathSync(join(bin, 'postgres'))), '../lib/plproxy.so'));
}

/** Returns a user to run Postgres as, because Postgres refuses to run as root. Null if this process is not root. */
export function otherUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody']
    .map((name) => users.find(([known]) => known === name))
    .find((found) => found !== undefined);
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}
