import type { HeldMemory } from '../http/held-memory/held-memory';
import type { Metrics } from '../telemetry/metrics';

/** Who waits in this process, and what for. Queues are those that are named here. */
export interface Queues {
  /** For memory, with an answer that is large. */
  answers: () => number;
  /** For a turn to speak. */
  speech: () => number;
  /** For an encoder of audio. */
  encoders: () => number;
}

/** How long queues are, and what large answers hold. */
export function measureQueues(metrics: Metrics, queues: Queues, memory: Pick<HeldMemory, 'figures'>): void {
  metrics.gauge(
    {
      name: 'turnpike_queue_length',
      help: 'Who waits: large answers for memory, requests for a turn to speak, audio for an encoder.',
      labels: ['queue'],
    },
    (say) => {
      for (const [queue, length] of Object.entries(queues) as [string, () => number][]) say({ queue }, length());
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_answers_held_bytes',
      help: 'What large answers take, from their first byte off an upstream to the last that their reader took.',
      labels: [],
    },
    (say) => say({}, memory.figures.heldBytes),
  );
  metrics.counter(
    {
      name: 'turnpike_readers_given_up_total',
      help: 'Readers of large answers who took nothing for too long, and were disconnected.',
      labels: [],
    },
    (say) => say({}, memory.figures.givenUpTotal),
  );
}
