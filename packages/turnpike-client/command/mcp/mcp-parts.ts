import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import type { Turnpike } from '../../src/turnpike';
import type { CallExtra } from './tool-call';

export interface McpParts {
  customer: Turnpike;
  privately: PrivateFetchOptions;
  /** Folder for audio and videos; null returns them inside the answer. */
  mediaFolder: string | null;
  /** True if the calling client pays instead of the customer. */
  clientPays: boolean;
  gatewayName: string;
}

export interface ToolParts extends McpParts {
  /** Returns a failure as the tool's answer. */
  answer(extra: CallExtra, run: () => Promise<CallToolResult>): Promise<CallToolResult>;
}
