import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Secret } from '@/lib/server/config/secret';
import { openPostgres } from '@/lib/server/db/postgres/open';

/** In memory where the system has room for some clusters there: containers are often given 64 MiB, which hold one. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 1024 ** 3;
const PARENT = existsSync(MEMORY) && freeBytes(MEMORY) >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
const START_TIMEOUT_MS = 30_000;
const USER = 'postgres';
const SETTINGS = ['listen_addresses=', 'log_min_messages=fatal'];
const CONNECTIONS_MAX = 60;
/** Cheap and quick: what tests keep is worth nothing. */
const VOLATILE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', 'autovacuum_naptime=10s'];

/**
 * The shell starts the server and waits for a line, which asks for its crash, or for its rest, after which there may be
 * another line, or for the end of its own input, which comes with the end of this process, however that ends: then it
 * also deletes the folder ($0). Nothing is left behind.
 */
const GUARD =
  'exec 3<&0; "$@" </dev/null 3<&- & server=$!; read -r asked <&3; ended=$?; ' +
  'if [ "$asked" = rest ]; then kill -INT $server; wait $server; read -r _ <&3; ended=$?; else kill -QUIT $server; wait $server; fi; ' +
  '[ $ended = 0 ] || rm -rf "$0"';

/** A Postgres server of this test run alone, on a socket in a folder of its own. */
export class TestPostgres {
  /** A cluster that was made and migrated once for this process, and is stopped: what copies are made of. */
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
   * Makes a cluster and starts its server.
   * @param durable on disk, with a server's usual settings: for measurements
   * @param connectionsMax for more than a few gateways, which hold up to 15 each
   * @throws Error where no Postgres is installed.
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
   * Starts a server on a copy of a cluster that this process makes once: nothing is shared, and it is there in a fraction
   * of the time that making and migrating one takes.
   * @throws Error where no Postgres is installed.
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

  /** The process whose descendants all of the server's are. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The URL of a database on it. */
  url(database: string): string {
    return `postgres:///${database}?user=${USER}&host=${encodeURIComponent(this.folder)}`;
  }

  /** A new empty database. @returns its URL. */
  async createDatabase(): Promise<string> {
    return this.url(await this.#create('template1'));
  }

  /** A new database with the schema of today and nothing in it: a copy of one that was migrated, which takes half the time. @returns its URL. */
  async createMigratedDatabase(): Promise<string> {
    this.#migrated ??= this.#migrate();
    return this.url(await this.#create(await this.#migrated));
  }

  async #create(template: string): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.#asAdmin(async (client) => {
      const { rows } = await client.query<{ version: number }>(
        "select current_setting('server_version_num')::integer as version",
      );
      // By files, as Postgres did before 15, instead of by way of the log: nobody needs it to survive anything.
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

  /** Stops the server in the middle of whatever it does, as a crash would: it recovers at the next start. */
  async crash(): Promise<void> {
    await this.#endAdmin();
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end('crash\n');
    await ended;
  }

  /** Stops the server in good order. Its shell stays to delete the folder with the end of this process, and keeps that from nothing. */
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

  /** Starts the server again. */
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

  /** Does something over the one connection that is kept for this, since making one takes longer than most of what is done. */
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

/** The folder of initdb and postgres, newest version first; null where they are not installed. */
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

/** Postgres refuses to run as root: then as one of the users that every system has. */
function otherUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody']
    .map((name) => users.find(([known]) => known === name))
    .find((found) => found !== undefined);
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}
