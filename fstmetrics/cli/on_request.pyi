# The names and where each comes from. This is the one list of them: `on_request.py` reads it.
from fstmetrics.cli.compare_shards import compare_shards as compare_shards
from fstmetrics.cli.compare_shards import refuse_unfit as refuse_unfit
from fstmetrics.cli.compare_shards import write_shard as write_shard
from fstmetrics.cli.corpus_oracle_run import oracle_of_lists as oracle_of_lists
from fstmetrics.cli.sclite_files import ScliteReports as ScliteReports
from fstmetrics.cluster.engines import elsewhere as elsewhere
from fstmetrics.cluster.engines import engine_of as engine_of
from fstmetrics.cluster.statistics_work import statistics_runner as statistics_runner
from fstmetrics.reports.field_tables import breakdown_lines as breakdown_lines
from fstmetrics.reports.field_tables import interval_lines as interval_lines
