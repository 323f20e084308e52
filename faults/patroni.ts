import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { parse } from 'yaml';
import { freePort, stopChild } from '@/attack/stage/child-process';
import { findPostgres, otherUser } from '@/test/test-postgres';
import { NotMade } from './fault';

const NODES = 3;
const START_TIMEOUT_MS = 120_000;
const LOOK_MS = 2_000;
/** Debian's PgBouncer is in sbin. */
const WITH_SBIN = `${process.env.PATH}:/usr/sbin`;
const PROGRAMS = ['etcd', 'patroni', 'pgbouncer'];

interface Member {
  name: string;
  role: string;
  state: string;
}

interface Node {
  name: string;
  folder: string;
  restPort: number;
  port: number;
  bouncerPort: number;
  patroni: ChildProcess | null;
}

/**
 * Postgres on three nodes under Patroni and etcd, all on loopback. Each node has a PgBouncer. The configuration is that
 * of `deploy/patroni`.
 */
export class PatroniCluster {
  readonly #owner = otherUser();
  readonly #folder = mkdtempSync(join(tmpdir(), 'turnpike-patroni-'));
  readonly #nodes: Node[] = [];
  readonly #children: ChildProcess[] = [];
  #etcdPort = 0;

  /** @throws NotMade if a program is not installed */
  static async start(): Promise<PatroniCluster> {
    for (const program of PROGRAMS)
      if (!isInstalled(program))
        throw new NotMade(`${program} is not installed (Debian: patroni etcd-server pgbouncer).`);
    const cluster = new PatroniCluster();
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  async #start(): Promise<void> {
    chmodSync(this.#folder, 0o700);
    this.#own(this.#folder);
    this.#etcdPort = await freePort();
    const [client, peer] = [this.#etcdPort, await freePort()].map((port) => `http://127.0.0.1:${port}`);
    const peers = [
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ];
    const clients = ['--listen-client-urls', client, '--advertise-client-urls', client];
    this.#spawn('etcd', ['--data-dir', join(this.#folder, 'etcd'), ...clients, ...peers] as string[]);
    for (let index = 1; index <= NODES; index++) {
      const [restPort, port, bouncerPort] = [await freePort(), await freePort(), await freePort()];
      const name = `db-${index}`;
      const node = { name, folder: join(this.#folder, name), restPort, port, bouncerPort, patroni: null };
      this.#nodes.push(node);
      this.#configure(node);
      this.revive(name);
      this.#spawn('pgbouncer', [`${node.folder}.ini`]);
    }
    await this.healthy();
    await this.query('create database turnpike', 'postgres');
  }

  /** Writes the files of `deploy/patroni`, with the addresses and folders of this node. */
  #configure({ name, folder, restPort, port, bouncerPort }: Node): void {
    const settings = parse(readFileSync('deploy/patroni/patroni.yml', 'utf8')) as Record<string, object>;
    const rest = `127.0.0.1:${restPort}`;
    const address = `127.0.0.1:${port}`;
    const config = {
      ...settings,
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { hosts: [`127.0.0.1:${this.#etcdPort}`] },
      postgresql: {
        ...settings.postgresql,
        listen: address,
        connect_address: address,
        data_dir: folder,
        bin_dir: binaries(),
        pgpass: `${folder}.pgpass`,
        parameters: { unix_socket_directories: this.#folder, shared_buffers: '32MB' },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    };
    this.#write(`${folder}.yml`, JSON.stringify(config));
    const bouncer = readFileSync('deploy/patroni/pgbouncer.ini', 'utf8')
      .replace('port=5432', `port=${port}`)
      .replace('0.0.0.0', '127.0.0.1')
      .replace('6432', String(bouncerPort))
      .replace('scram-sha-256', 'trust')
      .replace(/^auth_file = .*/m, `auth_file = ${this.#folder}/users.txt\nunix_socket_dir =`);
    this.#write(`${folder}.ini`, bouncer);
    this.#write(join(this.#folder, 'users.txt'), '"postgres" ""\n');
  }

  /** URL that names the Postgres of all nodes. */
  get url(): string {
    return this.#url(this.#nodes.map(({ port }) => port));
  }

  /** URL that names the PgBouncers of all nodes. */
  get pooledUrl(): string {
    return `${this.#url(this.#nodes.map(({ bouncerPort }) => bouncerPort))}&prepared_statements=false`;
  }

  #url(ports: readonly number[]): string {
    return `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/turnpike?target_session_attrs=read-write`;
  }

  /** Kills the primary's Patroni and Postgres, all processes at once. @returns the node's name */
  async killPrimary(): Promise<string> {
    const name = await this.primary();
    const node = this.#nodes.find((each) => each.name === name);
    if (!node) throw new Error('There is no primary to kill.');
    node.patroni?.kill('SIGKILL');
    const postmaster = Number(readFileSync(join(node.folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    for (const pid of [postmaster, ...childrenOf(postmaster)]) kill(pid);
    while (existsSync(`/proc/${postmaster}`) && !isZombie(postmaster)) await sleep(5);
    return node.name;
  }

  /** Starts a node's Patroni, also after it was killed. */
  revive(name: string): void {
    const node = this.#nodes.find((each) => each.name === name) as Node;
    node.patroni = this.#spawn('patroni', [`${node.folder}.yml`]);
  }

  async primary(): Promise<string | null> {
    return (await this.#members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null;
  }

  /** Waits until all nodes run and one is a synchronous standby, so that the primary can be replaced. */
  async healthy(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (let members: Member[] = []; ; await sleep(250)) {
      members = await this.#members();
      const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
      const roles = running.map(({ role }) => role);
      if (running.length === NODES && roles.includes('leader') && roles.includes('sync_standby')) return;
      if (performance.now() > deadline) throw new Error(`Patroni is not healthy: ${JSON.stringify(members)}`);
    }
  }

  async #members(): Promise<Member[]> {
    for (const { restPort } of this.#nodes) {
      const members = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(LOOK_MS),
      }).then(
        async (response) => ((await response.json()) as { members: Member[] }).members,
        () => null,
      );
      if (members) return members;
    }
    return [];
  }

  /** Runs a statement on the primary, as the database's superuser. */
  async query<Row extends pg.QueryResultRow>(text: string, database = 'turnpike'): Promise<Row[]> {
    const primary = await this.primary();
    const port = this.#nodes.find(({ name }) => name === primary)?.port;
    const client = new pg.Client({ host: '127.0.0.1', port: port ?? 0, user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.#children.reverse().map(stopChild));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const log = openSync(join(this.#folder, `${program}.log`), 'a');
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: { ...process.env, PATH: WITH_SBIN, HOME: this.#folder },
      stdio: ['ignore', log, log],
      ...this.#owner,
    });
    child.on('error', () => undefined);
    this.#children.push(child);
    return child;
  }

  #write(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
    this.#own(file);
  }

  #own(file: string): void {
    if (this.#owner) chownSync(file, this.#owner.uid, this.#owner.gid);
  }
}

/** Returns the folder of all programs of Postgres. PATH may contain only links to these programs. */
function binaries(): string {
  const folder = findPostgres();
  if (folder === null) throw new NotMade('No Postgres is installed here.');
  return dirname(realpathSync(join(folder, 'postgres')));
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { env: { ...process.env, PATH: WITH_SBIN }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

/** Kills a process. The process may already have ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
