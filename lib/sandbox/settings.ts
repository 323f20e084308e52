/** What the sandbox process is told by its environment. */
export interface SandboxSettings {
  /** 0 is any free one. */
  port: number;
  /** Where the WebSocket of the Solana stand-ins is served too, beside `port`; null for nowhere. */
  webSocketPort: number | null;
  /** Where the stand-ins keep their state. */
  dataDir: string;
}

/** What the sandbox process says when it listens. */
export interface ReadyMessage {
  type: 'ready';
  /** Its origin, on loopback. */
  url: string;
  pid: number;
}

/** A setting that makes no sense, in a sentence. */
export class SandboxSettingError extends Error {
  override readonly name = 'SandboxSettingError';
}

/**
 * Reads `SANDBOX_PORT` (default any free port), `SANDBOX_WS_PORT` (default none) and `SANDBOX_DATA_DIR` (default `data/sandbox`).
 *
 * @throws {SandboxSettingError} naming the variable
 */
export function sandboxSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  return {
    port: portOf(env, 'SANDBOX_PORT') ?? 0,
    webSocketPort: portOf(env, 'SANDBOX_WS_PORT'),
    dataDir: env['SANDBOX_DATA_DIR'] || 'data/sandbox',
  };
}

function portOf(env: Readonly<Record<string, string | undefined>>, variable: string): number | null {
  const text = env[variable];
  if (!text) return null;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new SandboxSettingError(
      `${variable} must be a number from 0 to 65535, not ${JSON.stringify(text.slice(0, 40))}.`,
    );
  }
  return port;
}

/** Whether a message of the child is its `ready`. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && (message as { type?: unknown }).type === 'ready';
}
