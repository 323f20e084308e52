/** How current a platform is, in Intel's words. */
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
 * The status of a platform together with that of a part of it, the TDX module or the quoting enclave: an
 * outdated part makes the platform outdated and keeps what else is wanted of its configuration (Intel TDX DCAP
 * Quote Verification, "convergence" of statuses).
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
  // Parts are published as UpToDate, OutOfDate or Revoked. Whatever else comes is no better than the worse of the two.
  return TCB_STATUSES.indexOf(part) > TCB_STATUSES.indexOf(platform) ? part : platform;
}
