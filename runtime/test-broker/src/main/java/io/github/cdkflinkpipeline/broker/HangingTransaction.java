package io.github.cdkflinkpipeline.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * A record that comes too late for its transaction, as clients before Kafka 4 could send one: it
 * opens a transaction in its partition that the coordinator knows nothing of, and never ends.
 */
record HangingTransaction(String transactionalId, long producerId, short producerEpoch) {

  /** The last one in which the producer tells the coordinator of its partitions, not the broker. */
  private static final short VERSION = 11;

  private static final int TIMEOUT_MILLISECONDS = 30_000;

  void write(int port, String topic, int partition, long timestamp) throws IOException {
    byte[] late = "late".getBytes(StandardCharsets.UTF_8);
    SimpleRecord record = new SimpleRecord(timestamp, late, late);
    PartitionProduceData data =
        new PartitionProduceData()
            .setIndex(partition)
            .setRecords(
                MemoryRecords.withTransactionalRecords(
                    Compression.NONE, producerId, producerEpoch, 0, record));
    TopicProduceDataCollection topics = new TopicProduceDataCollection();
    topics.add(new TopicProduceData().setName(topic).setPartitionData(List.of(data)));
    ProduceRequest request =
        ProduceRequest.builder(
                new ProduceRequestData()
                    .setAcks((short) -1)
                    .setTimeoutMs(TIMEOUT_MILLISECONDS)
                    .setTransactionalId(transactionalId)
                    .setTopicData(topics))
            .build(VERSION);
    RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, VERSION, transactionalId, 1);
    ByteBuffer bytes = request.serializeWithHeader(header);
    try (Socket socket = new Socket("127.0.0.1", port);
        DataOutputStream output = new DataOutputStream(socket.getOutputStream());
        DataInputStream input = new DataInputStream(socket.getInputStream())) {
      output.writeInt(bytes.remaining());
      output.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      output.flush();
      ByteBuffer answer = ByteBuffer.wrap(input.readNBytes(input.readInt()));
      ProduceResponse response = (ProduceResponse) AbstractResponse.parseResponse(answer, header);
      response
          .data()
          .responses()
          .forEach(
              found ->
                  found
                      .partitionResponses()
                      .forEach(one -> Errors.forCode(one.errorCode()).maybeThrow()));
    }
  }
}
