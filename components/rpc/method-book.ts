/**
 * JSON-RPC methods with tiers, reasons for refusal and examples; functions that price and edit requests. Half as large
 * as all other code of the RPC page, so `use-method-book.ts` loads it on first use.
 */
export { appendCall, toggleBatch } from './request-edits';
export { quoteRequest } from './request-quote';
export { isRefusal, lookUpMethod, METHODS } from '@/lib/protocol/rpc-methods';
export { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
