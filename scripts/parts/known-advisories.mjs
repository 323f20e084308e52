const severities = new Set(['high', 'critical']);

/**
 * Reads the advisories on shipped packages from `npm audit --json`.
 * @param {string} output
 * @returns {string[] | null} a line for each package with a high or critical advisory; null without an audit report
 */
export function readAudit(output) {
  const start = output.indexOf('{');
  /** @type {{vulnerabilities?: Record<string, {severity: string, range?: string, via: (string | {title?: string, url?: string})[]}>}} */
  let report;
  try {
    report = JSON.parse(output.slice(start));
  } catch {
    return null;
  }
  if (!report.vulnerabilities) return null;
  return Object.entries(report.vulnerabilities)
    .filter(([, { severity }]) => severities.has(severity))
    .map(([name, { severity, range, via }]) => {
      const reasons = via.map((each) =>
        typeof each === 'string' ? `through ${each}` : `${each.title ?? 'an advisory'} ${each.url ?? ''}`.trim(),
      );
      return `${name} ${range ?? ''} (${severity}): ${reasons.join('; ')}. Update it, or replace the package that depends on it.`;
    });
}
