import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import type { Turnpike } from '../../src/turnpike';
import { addChainTools } from './chain-tools';
import { addMediaTools } from './media-tools';
import { addModelTools } from './model-tools';
import { addMoneyTools } from './money-tools';
import { addResources } from './resources';

/** What the tools need. */
export interface McpParts {
  customer: Turnpike;
  privately: PrivateFetchOptions;
  /** Where audio and videos are written; null hands them over in the answer. */
  mediaFolder: string | null;
}

/** Of one call: no request that a tool makes is longer. */
const INPUT_ELEMENTS_MAX = 10_000;

/** An MCP server over a customer of a gateway: what an agent needs, and nothing that moves money unasked. */
export function createMcpServer(parts: McpParts): McpServer {
  const server = new McpServer(
    { name: 'turnpike', title: 'Turnpike', version: '0.2.0' },
    {
      maxToolInputElements: INPUT_ELEMENTS_MAX,
      instructions: 'Blockchains, private models, speech and video behind one gateway, paid for by its owner within a budget. Read turnpike://networks and turnpike://models for names, turnpike://prices for costs.',
    },
  );
  addChainTools(server, parts);
  addModelTools(server, parts);
  addMediaTools(server, parts);
  addMoneyTools(server, parts);
  addResources(server, parts);
  return server;
}
