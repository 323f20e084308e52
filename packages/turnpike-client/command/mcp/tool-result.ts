import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { turnpikeErrorOf } from '../../src/turnpike-error';

/** An answer as JSON that programs and models read. */
export function jsonResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}

/** Runs a tool; what ends it is told to the model with its code and what to do about it, as an error of the tool. */
export async function told(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    const { code, message, remedy, detail } = turnpikeErrorOf(error);
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: message, code, remedy, ...(Object.keys(detail).length > 0 && { detail }) }) }] };
  }
}
