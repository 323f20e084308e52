import type { Metrics } from '../telemetry/metrics';
import { CHAIN_DATA } from '../upstreams/nodes/block-reference';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import type { UpstreamNode } from '../upstreams/nodes/upstream-node';

/**
 * Labels of metrics. An upstream is identified by its number in the configuration, because its URL may contain an API
 * key.
 */
type NodeLabel = 'network' | 'upstream';

export function measureNetworks(metrics: Metrics, networks: RpcNetworks): void {
  const eachNode = (say: (labels: Record<NodeLabel, string>, node: UpstreamNode) => void): void => {
    for (const { network, pool } of networks.backends())
      for (const node of pool.nodes) say({ network: network.slug, upstream: node.name }, node);
  };
  const ofNodes = (name: string, help: string, value: (node: UpstreamNode) => number | null): void =>
    metrics.gauge<NodeLabel>({ name, help, labels: ['network', 'upstream'] }, (say) =>
      eachNode((labels, node) => {
        const now = value(node);
        if (now !== null) say(labels, now);
      }),
    );
  metrics.counter<NodeLabel | 'outcome'>(
    {
      name: 'turnpike_upstream_attempts_total',
      help: 'Requests to the upstream, by outcome: answered, lost to a faster upstream, or the reason of the failure.',
      labels: ['network', 'upstream', 'outcome'],
    },
    (say) =>
      eachNode((labels, node) => {
        for (const [outcome, count] of node.outcomes()) say({ ...labels, outcome }, count);
      }),
  );
  ofNodes(
    'turnpike_upstream_breaker_open',
    'Whether a circuit breaker blocks all calls, or the calls of one method: 1 or 0.',
    (node) => Number(node.isCutOff),
  );
  ofNodes('turnpike_upstream_failing', 'Whether health checks of the upstream fail: 1 or 0.', ({ health }) =>
    Number(health.isFailing),
  );
  ofNodes(
    'turnpike_upstream_wrong_chain',
    'Whether the upstream is excluded because it serves another chain: 1 or 0.',
    ({ health }) => Number(health.chain === 'wrong'),
  );
  ofNodes(
    'turnpike_upstream_head_lag_blocks',
    'Blocks behind the best upstream of its network.',
    ({ health }) => health.lagBlocks,
  );
  ofNodes('turnpike_upstream_in_flight', 'Running requests to the upstream.', ({ inFlight }) => inFlight);
  metrics.gauge<NodeLabel | 'state'>(
    {
      name: 'turnpike_upstream_connections',
      help: 'Connections to the upstream, idle or busy.',
      labels: ['network', 'upstream', 'state'],
    },
    (say) =>
      eachNode((labels, { upstream }) => {
        const { open, idle } = upstream.connectionUse;
        say({ ...labels, state: 'idle' }, idle);
        say({ ...labels, state: 'busy' }, open - idle);
      }),
  );
  ofNodes(
    'turnpike_upstream_questions_waiting',
    'Requests that wait for a connection to the upstream.',
    ({ upstream }) => upstream.connectionUse.waiting,
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_older_answers_total',
      help: 'Answers about the chain head that were discarded, because the caller had already seen a newer block.',
      labels: ['network'],
    },
    (say) => {
      for (const { network, heads } of networks.backends()) if (heads) say({ network: network.slug }, heads.passedOver);
    },
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_log_parts_total',
      help: 'Parts of log ranges that were too wide for one request.',
      labels: ['network'],
    },
    (say) => {
      for (const { network, logs } of networks.backends()) say({ network: network.slug }, logs.partsRead);
    },
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_disagreements_total',
      help: 'Reads on which upstreams disagreed: outvoted if enough of them agreed, unresolved if the caller got an error.',
      labels: ['network', 'outcome'],
    },
    (say) => {
      for (const { network, agreed } of networks.backends()) {
        if (!agreed) continue;
        say({ network: network.slug, outcome: 'outvoted' }, agreed.disagreements.outvoted);
        say({ network: network.slug, outcome: 'unresolved' }, agreed.disagreements.unresolved);
      }
    },
  );
  metrics.counter<NodeLabel>(
    {
      name: 'turnpike_upstream_outvoted_total',
      help: 'Answers of the upstream that differed from the agreed answer.',
      labels: ['network', 'upstream'],
    },
    (say) => {
      for (const { network, pool, agreed } of networks.backends())
        if (agreed)
          for (const node of pool.nodes) say({ network: network.slug, upstream: node.name }, agreed.outvotedOf(node));
    },
  );
  ofNodes(
    'turnpike_upstream_range_blocks_max',
    'Largest block range that the upstream serves, if a limit was found.',
    ({ capabilities }) => capabilities?.rangeBlocksMax(performance.now()) ?? null,
  );
  ofNodes(
    'turnpike_upstream_missing_methods',
    'Methods that the upstream was found not to serve.',
    ({ capabilities }) => capabilities?.missingMethods(performance.now()).length ?? 0,
  );
  metrics.gauge<NodeLabel | 'data'>(
    {
      name: 'turnpike_upstream_pruned_below_block',
      help: 'First block for which the upstream has this data, if older blocks are known to be missing.',
      labels: ['network', 'upstream', 'data'],
    },
    (say) =>
      eachNode((labels, { capabilities }) => {
        for (const data of CHAIN_DATA) {
          const height = capabilities?.prunedBelow(data, performance.now()) ?? null;
          if (height !== null) say({ ...labels, data }, height);
        }
      }),
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_cache_lookups_total',
      help: 'Cacheable reads, by cache hit or miss.',
      labels: ['network', 'outcome'],
    },
    (say) => {
      for (const { network, lookups } of networks.backends()) {
        say({ network: network.slug, outcome: 'hit' }, lookups.hits);
        say({ network: network.slug, outcome: 'miss' }, lookups.misses);
      }
    },
  );
}
