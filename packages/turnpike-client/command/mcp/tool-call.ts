import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import type { Turnpike } from '../../src/turnpike';
import { TurnpikeError } from '../../src/turnpike-error';
import { inOwnWords } from '../own-words';
import { jsonText } from '../printable';
import { typedError } from '../proxy/api-error';
import type { MadePayment } from './client-payment';

export interface McpParts {
  customer: Turnpike;
  privately: PrivateFetchOptions;
  /** Folder for media; null to return media inside the answer. */
  mediaFolder: string | null;
  clientPays: boolean;
  gatewayName: string;
}

export interface ToolParts extends McpParts {
  answer(extra: CallExtra, run: () => Promise<CallToolResult>): Promise<CallToolResult>;
}

export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

interface ToolCall {
  server: Server;
  extra: CallExtra;
  /** Client's payment and its receipt; null if the server's owner pays. */
  payment: MadePayment | null;
}

const running = new AsyncLocalStorage<ToolCall>();

export function currentCall(): ToolCall | undefined {
  return running.getStore();
}

/**
 * Runs a tool call. Returns a failure as a tool error with code and remedy, because models do not see protocol errors.
 */
export async function answered(call: ToolCall, run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  const { payment } = call;
  try {
    const result = await running.run(call, run);
    return payment === null ? result : payment.receipted(result);
  } catch (error) {
    return payment?.demanded() ?? failure(error);
  }
}

export function jsonResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: jsonText(value, 2) }], structuredContent: value };
}

function failure(error: unknown): CallToolResult {
  const ended = said(typedError(error));
  const { code, detail } = ended;
  const { message, remedy } = inOwnWords(ended);
  return {
    isError: true,
    content: [
      {
        type: 'text',
        text: jsonText({ error: message, code, remedy, ...(Object.keys(detail).length > 0 && { detail }) }),
      },
    ],
  };
}

/** Unwraps this server's own reason from a TOP_UP_REFUSED error. Returns any other error unchanged. */
function said(error: TurnpikeError): TurnpikeError {
  return error.code === 'TOP_UP_REFUSED' && error.cause instanceof TurnpikeError ? error.cause : error;
}
