/** TCB statuses in Intel's words, best to worst. */
export const TCB_STATUSES = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'Revoked',
] as const;

export type TcbStatus = (typeof TCB_STATUSES)[number];

export function isTcbStatus(value: unknown): value is TcbStatus {
  return (TCB_STATUSES as readonly unknown[]).includes(value);
}

/**
 * Combines a platform's status with the status of a part: the TDX module or the quoting enclave. An outdated part makes
 * the result outdated. The result keeps the platform's need for configuration (Intel TDX DCAP Quote Verification,
 * "convergence" of statuses).
 */
export function convergeTcbStatus(platform: TcbStatus, part: TcbStatus): TcbStatus {
  if (platform === 'Revoked' || part === 'Revoked') return 'Revoked';
  if (part === 'UpToDate') return platform;
  if (part === 'OutOfDate') {
    const wantsConfiguration =
      platform === 'ConfigurationNeeded' ||
      platform === 'ConfigurationAndSWHardeningNeeded' ||
      platform === 'OutOfDateConfigurationNeeded';
    return wantsConfiguration ? 'OutOfDateConfigurationNeeded' : 'OutOfDate';
  }
  // Intel gives parts only UpToDate, OutOfDate or Revoked. For any other status, the worse of the two wins.
  return TCB_STATUSES.indexOf(part) > TCB_STATUSES.indexOf(platform) ? part : platform;
}
