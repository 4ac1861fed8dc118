# The names and where each comes from. This is the one list of them: `on_request.py` reads it.
from fstmetrics.cluster.engines import elsewhere as elsewhere
from fstmetrics.cluster.engines import engine_of as engine_of
from fstmetrics.cluster.statistics_work import statistics_runner as statistics_runner
from fstmetrics.evaluation.compare_shards import compare_shards as compare_shards
from fstmetrics.evaluation.compare_shards import refuse_unfit as refuse_unfit
from fstmetrics.evaluation.compare_shards import write_shard as write_shard
