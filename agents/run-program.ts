import { spawn } from 'node:child_process';

/** Output and exit code of a program. */
interface Ended {
  /** Null if the timeout ended the program. */
  code: number | null;
  out: string;
}

const OUTPUT_CHARACTERS_MAX = 4_000_000;

/**
 * Runs a program without input, in an environment that contains only PATH and `env`. Kills the process group after the
 * timeout.
 */
export function runProgram(
  command: readonly string[],
  { cwd, env, timeoutMs }: { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number },
): Promise<Ended> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let out = '';
  let isLate = false;
  const hear = (chunk: Buffer): void => {
    if (out.length < OUTPUT_CHARACTERS_MAX) out += chunk.toString('utf8');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, timeoutMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      // Ends servers that the program started.
      endGroup();
      resolve({ code: isLate ? null : code, out });
    });
  });
}
