import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts CPU time of processes in hundredths of a second (USER_HZ). */
const TICK_SECONDS = 0.01;

/** Returns the CPU seconds of a process and its descendants, including those that ended; null without /proc. */
export function cpuSeconds(pid: number): number | null {
  const processes = readProcesses();
  if (!processes) return null;
  let total = 0;
  const tree = new Set([pid]);
  // Repeats until no process is added, because a child's id may be smaller than its parent's.
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { id, parent } of processes) if (tree.has(parent)) tree.add(id);
  }
  for (const { id, ticks } of processes) if (tree.has(id)) total += ticks * TICK_SECONDS;
  return total;
}

function readProcesses(): { id: number; parent: number; ticks: number }[] | null {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  return names.flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The command is in parentheses and may contain any characters. The fields after it contain no spaces; the first
      // is the state.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      return [{ id: Number(name), parent: Number(fields[1]), ticks }];
    } catch {
      return [];
    }
  });
}
