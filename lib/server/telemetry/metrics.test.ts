import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics';

async function lines(metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
}

describe('metrics in the text of Prometheus', () => {
  it('have histograms with cumulative buckets, a sum and a count, a series for each set of labels', async () => {
    const metrics = new Metrics();
    const histogram = metrics.histogram('turnpike_example_seconds', 'An example.', [0.1, 1]);
    const fast = histogram.series({ path: '/a' });
    for (const seconds of [0.05, 0.1, 0.5, 7]) fast.observe(seconds);
    histogram.series({ path: '/b' });
    expect(await lines(metrics, 'turnpike_example_seconds')).toEqual([
      'turnpike_example_seconds_bucket{le="0.1",path="/a"} 2',
      'turnpike_example_seconds_bucket{le="1",path="/a"} 3',
      'turnpike_example_seconds_bucket{le="+Inf",path="/a"} 4',
      'turnpike_example_seconds_sum{path="/a"} 7.65',
      'turnpike_example_seconds_count{path="/a"} 4',
      'turnpike_example_seconds_bucket{le="0.1",path="/b"} 0',
      'turnpike_example_seconds_bucket{le="1",path="/b"} 0',
      'turnpike_example_seconds_bucket{le="+Inf",path="/b"} 0',
      'turnpike_example_seconds_sum{path="/b"} 0',
      'turnpike_example_seconds_count{path="/b"} 0',
    ]);
  });

  it('read gauges and counters at the scrape, and forget what is no longer said', async () => {
    const metrics = new Metrics();
    let open = ['a', 'b'];
    metrics.gauge({ name: 'turnpike_open', help: 'Open ones.', labels: ['kind'] }, (say) =>
      open.forEach((kind) => say({ kind }, 2)),
    );
    let total = 3;
    metrics.counter({ name: 'turnpike_things_total', help: 'All of them.', labels: [] }, (say) => say({}, total));
    expect(await lines(metrics, 'turnpike_')).toEqual([
      'turnpike_open{kind="a"} 2',
      'turnpike_open{kind="b"} 2',
      'turnpike_things_total 3',
    ]);
    open = ['b'];
    total = 5;
    expect(await lines(metrics, 'turnpike_')).toEqual(['turnpike_open{kind="b"} 2', 'turnpike_things_total 5']);
  });

  it('leave out what nobody said, also where it has no labels: it is not 0', async () => {
    const metrics = new Metrics();
    let age: number | null = null;
    metrics.gauge(
      { name: 'turnpike_age_seconds', help: 'An age.', labels: [] },
      (say) => void (age !== null && say({}, age)),
    );
    expect(await lines(metrics, 'turnpike_age')).toEqual([]);
    age = 0;
    expect(await lines(metrics, 'turnpike_age')).toEqual(['turnpike_age_seconds 0']);
  });

  it('have those of the process beside them', async () => {
    const names = new Metrics().names();
    expect(names).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_p99_seconds',
      ]),
    );
  });
});
