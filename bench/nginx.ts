import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, stopChild } from '@/attack/stage/child-process';
import type { Program } from './programs';

/** Debian installs nginx in a folder that only root's PATH contains. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const START_TIMEOUT_MS = 10_000;

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { env: { ...process.env, PATH }, stdio: 'ignore' }).status === 0;
}

/** Starts nginx as a reverse proxy with one worker and keep-alive connections to the upstream. */
export async function startNginx(upstreamUrl: string): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration({ folder, port, upstream: new URL(upstreamUrl).host }));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    env: { ...process.env, PATH },
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (Date.now() < deadline && child.exitCode === null) continue;
    await stop();
    throw new Error('nginx did not start in time.');
  }
  return { pid: child.pid as number, port, stop };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  const listens = await once(socket, 'connect').then(
    () => true,
    () => new Promise<boolean>((resolve) => setTimeout(resolve, 50, false)),
  );
  socket.destroy();
  return listens;
}

function configuration({ folder, port, upstream }: { folder: string; port: number; upstream: string }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  return `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  access_log off; ${temporary} keepalive_requests 1000000000;
  upstream node { server ${upstream}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 64m; client_body_buffer_size 1m;
    location / { proxy_pass http://node/; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffers 64 64k; }
  }
}
`;
}
