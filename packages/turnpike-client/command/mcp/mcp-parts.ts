import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import type { Turnpike } from '../../src/turnpike';
import type { CallExtra } from './tool-call';

/** What a server is made of. */
export interface McpParts {
  customer: Turnpike;
  privately: PrivateFetchOptions;
  /** Where audio and videos are written; null hands them over in the answer. */
  mediaFolder: string | null;
  /** Whether each call is paid for by the client that makes it, instead of by the customer. */
  clientPays: boolean;
}

/** What its tools need. */
export interface ToolParts extends McpParts {
  /** Runs a tool's call, and tells what ends it as the answer of a tool. */
  answer(extra: CallExtra, run: () => Promise<CallToolResult>): Promise<CallToolResult>;
}
