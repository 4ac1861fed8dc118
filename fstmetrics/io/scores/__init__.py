"""Files of scores: human judgments, WMT's files, MQM, tables of metrics."""
