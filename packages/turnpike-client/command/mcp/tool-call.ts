import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { TurnpikeError } from '../../src/turnpike-error';
import { inOwnWords } from '../own-words';
import { jsonText } from '../printable';
import { typedError } from '../proxy/api-error';
import type { MadePayment } from './client-payment';

/** What the SDK knows of a call beside its arguments. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A tool's call while it runs: what is below it asks here whose it is. */
export interface ToolCall {
  server: Server;
  extra: CallExtra;
  /** What the client pays for it and is told of that; null where the owner of this server pays. */
  payment: MadePayment | null;
}

const running = new AsyncLocalStorage<ToolCall>();

/** The call that this is done for; undefined outside of one. */
export function currentCall(): ToolCall | undefined {
  return running.getStore();
}

/**
 * Runs a tool's call. What ends it is told to the model with its code and what to do about it, as an error of the
 * tool: an error of the protocol would be the program's to deal with, and no model reads those.
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

/** An answer as JSON that programs and models read. */
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

/** Whoever refused a top-up here said why in full; the client's own error would quote it alone. */
function said(error: TurnpikeError): TurnpikeError {
  return error.code === 'TOP_UP_REFUSED' && error.cause instanceof TurnpikeError ? error.cause : error;
}
