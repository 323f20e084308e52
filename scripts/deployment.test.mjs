import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { inRepository } from './parts/repository.mjs';
import { RUNTIME_PROGRAMS } from './parts/runtime-folder.mjs';

/** @type {{arguments: string[], environment: Record<string, string>}} */
const LAUNCH = JSON.parse(fs.readFileSync(inRepository('scripts/parts/launch.json'), 'utf8'));

/** @param {string} file */
const read = (file) => fs.readFileSync(inRepository(file), 'utf8');

/**
 * Returns a Dockerfile's instructions without comments. Joins continued lines.
 *
 * @param {string} text
 * @returns {{name: string, value: string}[]}
 */
function instructionsOf(text) {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n');
  return lines.flatMap((line) => {
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (line.trim() !== '' && name === undefined) throw new Error(`This is no instruction: ${line}`);
    return name === undefined ? [] : [{ name, value: String(value).trim() }];
  });
}

const KNOWN = [
  'FROM',
  'WORKDIR',
  'ENV',
  'COPY',
  'RUN',
  'LABEL',
  'USER',
  'VOLUME',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'ENTRYPOINT',
];

describe('the Dockerfile', () => {
  const instructions = instructionsOf(read('Dockerfile'));
  const stages = instructions.filter(({ name }) => name === 'FROM').map(({ value }) => value);
  const last = instructions.slice(instructions.map(({ name }) => name).lastIndexOf('FROM'));
  /** @param {string} name */
  const only = (name) => last.filter((instruction) => instruction.name === name).map(({ value }) => value);

  test('has two stages on the Node of .nvmrc, by its whole version, and instructions that there are', () => {
    expect(instructions.filter(({ name }) => !KNOWN.includes(name))).toEqual([]);
    const base = `node:${read('.nvmrc').trim().replace(/^v/, '')}-bookworm-slim`;
    expect(stages).toEqual([`${base} AS build`, base]);
  });

  test('ends with what runs alone: no npm, no sources, not as root, with a probe, told to stop by SIGTERM', () => {
    expect(only('USER')).toEqual(['1000:1000']);
    expect(only('COPY')).toEqual(['--from=build /runtime ./']);
    expect(only('ENTRYPOINT').map((value) => JSON.parse(value))).toEqual([
      ['node', ...LAUNCH.arguments, 'dist/server.mjs'],
    ]);
    expect(only('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(only('RUN').join(' ')).not.toMatch(/npm|curl|wget|apt/);
    expect(only('ENV').join(' ')).toMatch(/NODE_ENV=production.*TURNPIKE_PROFILE=live.*TURNPIKE_DATA_DIR=\/data/);
  });

  test('copies what its build runs, and .dockerignore leaves none of that out', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    for (const { name, value } of instructions) {
      if (name !== 'COPY' || value.startsWith('--from')) continue;
      for (const file of value.split(/\s+/).slice(0, -1))
        expect([file, fs.existsSync(inRepository(file))]).toEqual([file, true]);
    }
    const needed = [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'next.config.mjs',
      'scripts',
      'lib',
      'app',
      'components',
      'public',
      'server.ts',
      'boot.ts',
      'instrumentation.ts',
      'proxy.ts',
    ];
    expect(needed.filter((file) => ignored.includes(file))).toEqual([]);
    expect(['.git', 'node_modules', '.next', 'data', 'secrets'].filter((file) => !ignored.includes(file))).toEqual([]);
  });

  test('its probe passes where the gateway is alive, and fails where it is not or nobody answers', async () => {
    const [, command] = /CMD (\[.*\])$/.exec(only('HEALTHCHECK')[0] ?? '') ?? [];
    const [, ...args] = /** @type {string[]} */ (JSON.parse(String(command)));
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/livez' ? status : 404).end();
    });
    await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const probe = async () => {
      const child = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
      const [code] = await once(child, 'close');
      return code;
    };
    expect(await probe()).toBe(0);
    status = 503;
    expect(await probe()).toBe(1);
    await new Promise((closed) => server.close(closed));
    expect(await probe()).toBe(1);
  }, 30_000);

  test('makes its folder of programs that there are', async () => {
    const { programs } = await import('./bundle.mjs');
    expect(RUNTIME_PROGRAMS.filter((name) => !(name in programs))).toEqual([]);
  });
});

describe('deployments', () => {
  const compose = read('compose.yaml');
  const manifests = read('deploy/kubernetes/turnpike.yaml').split(/^---$/m);
  const unit = read('deploy/systemd/turnpike.service');

  test('start the gateway as the launcher does', () => {
    expect(unit).toContain(`ExecStart=/usr/bin/node ${LAUNCH.arguments.join(' ')} dist/server.mjs`);
    for (const [name, value] of Object.entries(LAUNCH.environment))
      expect(unit).toContain(`Environment=${name}=${value}`);
  });

  test('name every image by a version', () => {
    const images = [...`${compose}\n${manifests.join('\n')}`.matchAll(/^\s*image:\s*(\S+)/gm)].map(([, image]) =>
      String(image),
    );
    expect(images.length).toBeGreaterThan(5);
    expect(images.filter((image) => !/:v?\d+\.\d+/.test(image))).toEqual([]);
  });

  test('run with a read-only file system, without capabilities or a way to more, and with secrets from files', () => {
    const { services } = parse(compose, { merge: true });
    for (const name of ['gateway-1', 'gateway-2'])
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    const deployment = parseAllDocuments(read('deploy/kubernetes/turnpike.yaml')).map((each) => each.toJS())[1];
    const { securityContext, containers } = deployment.spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'DynamicUser=yes',
      'CapabilityBoundingSet=',
      'SystemCallFilter=@system-service',
      'KillMode=mixed',
    ])
      expect(unit.split('\n')).toContain(line);
    for (const text of [compose, manifests.join('\n'), unit]) {
      expect(text).toContain('TURNPIKE_SECRET_FILE');
      expect(text).toContain('DATABASE_URL_FILE');
      expect(text).not.toMatch(/^\s*(?:- )?TURNPIKE_SECRET\s*[:=]/m);
    }
  });

  test('hand over the folders of what an operator edits: of a file, a container keeps what an editor has replaced', () => {
    const edited = [...compose.matchAll(/^\s*- \.\/(deploy\S*):(\/etc\/(?:turnpike|nginx)\S*):ro$/gm)].map(
      ([, from, to]) => `${from} ${to}`,
    );
    expect([...new Set(edited)]).toEqual(['deploy /etc/turnpike', 'deploy/nginx /etc/nginx']);
  });

  test('let an encoder give way to the gateway under systemd, whose filter would end it for asking', () => {
    const filters = unit.split('\n').filter((line) => line.startsWith('SystemCallFilter='));
    // systemd applies the last filter that matches a call, and @resources contains setpriority.
    expect(filters.indexOf('SystemCallFilter=setpriority')).toBeGreaterThan(
      filters.findIndex((line) => line.includes('@resources')),
    );
    expect(unit.split('\n')).toContain('SystemCallErrorNumber=EPERM');
  });

  test('have probes, a budget for disruptions, scaling and network policies, and wait until streams have ended', () => {
    const kinds = manifests.map((manifest) => /^kind: (\w+)$/m.exec(manifest)?.[1]);
    expect(kinds).toEqual([
      'ConfigMap',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
    ]);
    expect(manifests[1]).toMatch(/livenessProbe:\s+httpGet: \{ path: \/livez/);
    expect(manifests[1]).toMatch(/readinessProbe:\s+httpGet: \{ path: \/readyz/);
    const graces = [
      /stop_grace_period: (\d+)s/.exec(compose),
      /terminationGracePeriodSeconds: (\d+)/.exec(manifests[1] ?? ''),
      /TimeoutStopSec=(\d+)/.exec(unit),
    ].map((found) => Number(found?.[1]));
    expect(graces.filter((seconds) => !(seconds > 120))).toEqual([]);
  });

  test('are told by commands that name the secrets and services that there are', () => {
    const { secrets, services } = parse(compose, { merge: true });
    const created = [...compose.matchAll(/> (secrets\/\w+)/g)].map(([, file]) => `./${file}`);
    const declared = Object.values(secrets).map(({ file }) => file);
    expect(created.sort()).toEqual(declared.sort());
    const literals = [...manifests.join('').matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name);
    const mounted = [...manifests.join('').matchAll(/\/run\/secrets\/turnpike\/(\w+)/g)].map(([, name]) => name);
    expect(literals.sort()).toEqual(mounted.sort());
    const texts = [compose, read('docs/operating.md')].join('\n');
    const named = [...texts.matchAll(/docker compose (?:exec|stop) ([\w-]+(?: gateway-\d)*)/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.flatMap(([, names]) => String(names).split(' ')).filter((name) => !(name in services))).toEqual([]);
  });

  test('have one configuration, which trusts the one proxy in front', () => {
    const inManifest = /turnpike\.config\.json: \|\n\s+(.*)/.exec(manifests[0] ?? '')?.[1] ?? '';
    expect(JSON.parse(inManifest)).toEqual({ profile: 'live', trustProxyHops: 1 });
    expect(JSON.parse(inManifest)).toEqual(JSON.parse(read('deploy/turnpike.config.json')));
  });
});

describe('the database servers of deploy/patroni', () => {
  test('put a charge on two servers, and replace a dead primary within 30 seconds', () => {
    const { ttl, loop_wait, retry_timeout, synchronous_mode } = parse(read('deploy/patroni/patroni.yml')).bootstrap.dcs;
    expect(synchronous_mode).toBe(true);
    expect(ttl).toBeLessThanOrEqual(20);
    expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout);
  });

  test('have poolers by transaction that accept what the gateway sends when it connects', () => {
    const settings = read('deploy/patroni/pgbouncer.ini');
    expect(settings).toMatch(/^pool_mode = transaction$/m);
    expect(settings).toMatch(/^ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout$/m);
  });
});
