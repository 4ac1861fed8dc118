# The names and where each comes from. This is the one list of them: `on_request.py` reads it.
from fstmetrics.analysis.result_table import choices_taken as choices_taken
from fstmetrics.cli.annotation_inputs import read_project as read_project
from fstmetrics.cli.corpus_oracle_run import oracle_of_lists as oracle_of_lists
from fstmetrics.cli.sclite_files import ScliteReports as ScliteReports
from fstmetrics.cli.speaker_fields import with_speakers as with_speakers
from fstmetrics.decoding.oracles import OracleSearch as OracleSearch
from fstmetrics.decoding.oracles import weightings as weightings
from fstmetrics.reports.field_tables import breakdown_lines as breakdown_lines
from fstmetrics.reports.field_tables import by_field as by_field
from fstmetrics.reports.field_tables import interval_lines as interval_lines
from fstmetrics.runs.field_sums import FieldSums as FieldSums
from fstmetrics.runs.shards import Shard as Shard
from fstmetrics.runs.shards import ShardFile as ShardFile
from fstmetrics.runs.shards import checksum_of as checksum_of
from fstmetrics.runs.shards import shard_path as shard_path
from fstmetrics.scoring.breakdown import breakdown as breakdown
from fstmetrics.scoring.resampling import Resampling as Resampling
