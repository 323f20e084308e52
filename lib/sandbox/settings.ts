interface SandboxSettings {
  /** 0 means any free port. */
  port: number;
  /** Second port for the Solana WebSocket; null for none. */
  webSocketPort: number | null;
  dataDir: string;
}

export interface ReadyMessage {
  type: 'ready';
  /** Origin of the sandbox on loopback. */
  url: string;
  pid: number;
}

export class SandboxSettingError extends Error {
  override readonly name = 'SandboxSettingError';
}

/**
 * Reads `SANDBOX_PORT` (default any free port), `SANDBOX_WS_PORT` (default none) and `SANDBOX_DATA_DIR` (default
 * `data/sandbox`).
 *
 * @throws {SandboxSettingError} that names the invalid variable
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

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && (message as { type?: unknown }).type === 'ready';
}
