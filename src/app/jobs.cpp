#include "app/jobs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/suite/temporary_file.h"
#include "base/error.h"
#include "cluster/parcel.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;

enum class Kind : uint8_t { Job, NoMore };

std::unique_ptr<Process> start_here(const JobRequest& request) {
  std::vector<std::string> command = {fs::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), request.command.begin(), request.command.end());
  return std::make_unique<Process>(command, request.seconds, request.errors, request.folder);
}

JobResult result_of(const Process& process) {
  return {process.output(), process.status(), process.seconds(), process.cpu_seconds()};
}

void put_texts(cluster::Parcel& parcel, const std::vector<std::string>& texts) {
  parcel.value(static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) parcel.text(text);
}

std::vector<std::string> take_texts(cluster::Unpacker& in) {
  std::vector<std::string> texts(in.value<uint32_t>());
  for (std::string& text : texts) text = in.text();
  return texts;
}

/// A job of process 0, run here: its files have names of this machine.
class Served {
 public:
  explicit Served(cluster::Unpacker& in) : number_(in.value<uint32_t>()) {
    request_.command = take_texts(in);
    request_.seconds = in.value<double>();
    request_.errors = in.value<Process::Errors>();
    request_.folder = in.text();
    request_.files = take_texts(in);
    for (const std::string& name : request_.files) {
      files_.push_back(std::make_unique<suite::TemporaryFile>(fs::path(name).extension().string()));
      std::ranges::replace(request_.command, name, files_.back()->name());
    }
    process_ = start_here(request_);
  }
  bool poll() { return process_->poll(); }
  std::vector<uint8_t> answer() const {
    cluster::Parcel parcel;
    const JobResult result = result_of(*process_);
    parcel.value(number_);
    parcel.text(result.output);
    parcel.value(result.status);
    parcel.value(result.seconds);
    parcel.value(result.cpu_seconds);
    for (const auto& file : files_) {
      std::ifstream stream(file->name(), std::ios::binary);
      std::stringstream text;
      text << stream.rdbuf();
      parcel.text(text.str());
    }
    return parcel.take();
  }

 private:
  uint32_t number_;
  JobRequest request_;
  std::vector<std::unique_ptr<suite::TemporaryFile>> files_;
  std::unique_ptr<Process> process_;
};

}  // namespace

Jobs::Jobs(cluster::Group* group, size_t at_once)
    : group_(group), at_once_(std::max<size_t>(at_once, 1)), running_(ranks()) {}

Jobs::~Jobs() {
  for (unsigned rank = 1; rank < ranks(); ++rank) {
    cluster::Parcel parcel;
    parcel.value(Kind::NoMore);
    group_->send(rank, parcel.take());
  }
}

bool Jobs::room() const { return std::ranges::min(running_) < at_once_; }

std::shared_ptr<Job> Jobs::start(const JobRequest& request) {
  const auto least = std::ranges::min_element(running_);
  ++*least;
  auto job = std::make_shared<Job>();
  job->rank_ = static_cast<unsigned>(least - running_.begin());
  job->files_ = request.files;
  if (job->rank_ == 0) {
    job->process_ = start_here(request);
  } else {
    cluster::Parcel parcel;
    parcel.value(Kind::Job);
    parcel.value(next_);
    put_texts(parcel, request.command);
    parcel.value(request.seconds);
    parcel.value(request.errors);
    parcel.text(request.folder.empty() ? fs::current_path().string() : fs::absolute(request.folder).string());
    put_texts(parcel, request.files);
    group_->send(job->rank_, parcel.take());
  }
  jobs_[next_++] = job;
  return job;
}

void Jobs::look() {
  std::erase_if(jobs_, [&](auto& entry) {
    Job& job = *entry.second;
    if (job.rank_ != 0 || !job.process_->poll()) return false;
    --running_[0];
    job.result_ = result_of(*job.process_);
    return true;
  });
  cluster::Message message;
  while (group_ != nullptr && group_->receive(message)) {
    cluster::Unpacker in(message.bytes);
    const auto found = jobs_.find(in.value<uint32_t>());
    if (found == jobs_.end()) fail_internal("process {} answers what was not asked", message.from);
    Job& job = *found->second;
    JobResult result;
    result.output = in.text();
    result.status = in.value<int>();
    result.seconds = in.value<double>();
    result.cpu_seconds = in.value<double>();
    for (const std::string& name : job.files_) std::ofstream(name, std::ios::binary) << in.text();
    job.result_ = std::move(result);
    --running_[message.from];
    jobs_.erase(found);
  }
}

unsigned cores_here(const cluster::Group* group) {
  const unsigned all = std::max(1u, std::thread::hardware_concurrency());
  return group == nullptr ? all : std::max(1u, all / group->size_here());
}

void serve_jobs(cluster::Group& group, Limits& limits) {
  std::vector<std::unique_ptr<Served>> running;
  for (bool more = true; more && limits.poll_now() == Stop::No;) {
    for (cluster::Message message; group.receive(message);) {
      group.busy();
      cluster::Unpacker in(message.bytes);
      if (in.value<Kind>() == Kind::NoMore)
        more = false;
      else
        running.push_back(std::make_unique<Served>(in));
    }
    std::erase_if(running, [&](const auto& job) {
      if (!job->poll()) return false;
      group.send(0, job->answer());
      return true;
    });
    group.idle();
  }
}

}  // namespace whittle::app
