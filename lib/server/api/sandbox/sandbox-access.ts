import { apiError } from '@/lib/protocol/errors';

const TIMEOUT_MS = 30_000;

/** HTTP client for the process that runs the simulators. */
export class SandboxAccess {
  /** True if this gateway accepts WebSockets on its port. Only the fast path can accept them. */
  takesWebSockets = false;

  constructor(
    readonly url: string,
    /** The demo account's API key. Anyone on this machine may use it. */
    readonly demoKey: string,
  ) {}

  /** Returns the simulated chains, and whether each has started. */
  async status(): Promise<Record<string, unknown>> {
    return (await (await this.#ask('/status')).json()) as Record<string, unknown>;
  }

  /**
   * Returns the URL for subscriptions to a simulated Solana chain. If the gateway's port accepts no WebSockets, the URL
   * leads to the simulator process.
   */
  webSocketUrl(slug: string, origin: string): string {
    const http = this.takesWebSockets ? `${origin}/api/sandbox/rpc/${slug}` : `${this.url}/solana/${slug}`;
    return http.replace(/^http/, 'ws');
  }

  async post(path: string, body: Uint8Array | string): Promise<{ status: number; text: string }> {
    const response = await this.#ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body as BodyInit,
    });
    return { status: response.status, text: await response.text() };
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(this.url + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (cause) {
      throw apiError('SANDBOX_FAILED', {
        message: `The sandbox did not answer: ${cause instanceof Error ? cause.message : 'unknown fault'}.`,
      });
    }
  }
}
