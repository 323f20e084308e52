/** Methods that run code chosen by the caller. That code may choose the text of an error. */
const RUNS_CODE: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_callBundle',
  'eth_callDetailed',
  'eth_callMany',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_fillTransaction',
  'eth_simulateV1',
  'arbtrace_call',
  'arbtrace_callMany',
  'debug_traceCall',
  'debug_traceCallMany',
  'trace_call',
  'trace_callMany',
  'trace_rawTransaction',
  'linea_estimateGas',
  'zks_estimateFee',
  'zks_estimateGasL1ToL2',
  'zks_sendRawTransactionWithDetailedOutput',
  'eth_cancelPrivateTransaction',
  'eth_sendPrivateRawTransaction',
  'eth_sendPrivateTransaction',
  'eth_sendRawTransaction',
  'eth_sendRawTransactionConditional',
  'eth_sendRawTransactionSync',
  'simulateTransaction',
  'sendTransaction',
  'starknet_addDeclareTransaction',
  'starknet_addDeployAccountTransaction',
  'starknet_addInvokeTransaction',
  'starknet_call',
  'starknet_estimateFee',
  'starknet_estimateMessageFee',
  'starknet_simulateTransactions',
]);

const OF_BUNDLERS: ReadonlySet<string> = new Set([
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_sendUserOperation',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
  'pimlico_getUserOperationStatus',
  'pimlico_simulateAssetChanges',
  'rundler_maxPriorityFeePerGas',
]);

export function runsCallerCode(method: string): boolean {
  return RUNS_CODE.has(method) || OF_BUNDLERS.has(method);
}

/** Returns whether the method belongs to ERC-4337 bundlers. Their errors quote accounts and paymasters. */
export function isBundlerMethod(method: string): boolean {
  return OF_BUNDLERS.has(method);
}

const OF_RANGES: ReadonlySet<string> = new Set([
  'eth_getLogs',
  'erigon_getLogs',
  'erigon_getLatestLogs',
  'trace_filter',
  'arbtrace_filter',
]);

/** Returns whether the method reads a range of blocks and does not run code chosen by the caller. */
export function asksForRange(method: string): boolean {
  return OF_RANGES.has(method);
}
