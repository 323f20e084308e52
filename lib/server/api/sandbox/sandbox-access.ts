import { apiError } from '@/lib/protocol/errors';

const TIMEOUT_MS = 30_000;

/**
 * The gateway's way to the stand-ins' process: what its own endpoints under /api/sandbox ask. Reached over HTTP,
 * as any upstream is.
 */
export class SandboxAccess {
  /** Whether this gateway's own port takes WebSockets: only the fast entry can. */
  takesWebSockets = false;

  constructor(
    readonly url: string,
    /** A key of the demo account, which anybody on this machine may use. */
    readonly demoKey: string,
  ) {}

  /** Which chains there are, and which have been started. */
  async status(): Promise<Record<string, unknown>> {
    return (await (await this.#ask('/status')).json()) as Record<string, unknown>;
  }

  /** Where a Solana stand-in's subscriptions are: on the gateway's origin if it takes them, else on the stand-ins' process, on this machine. */
  webSocketUrl(slug: string, origin: string): string {
    const http = this.takesWebSockets ? `${origin}/api/sandbox/rpc/${slug}` : `${this.url}/solana/${slug}`;
    return http.replace(/^http/, 'ws');
  }

  /** Passes a request on. @returns the stand-in's status and body. */
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
